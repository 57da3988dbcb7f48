import { useId, useLayoutEffect, useRef } from 'react';
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { FieldMessage } from '../field/FieldMessage.tsx';
import { countEnabledBoxes, enterText, eraseLast, moveFocus, pasteText } from './code.ts';
import type { CodeEdit } from './code.ts';
import styles from './code-boxes.module.css';

interface CodeBoxesProps {
  label: string;
  /** The number of boxes, named `code-1`, `code-2`, … */
  length: number;
  /** The digits entered so far; '' resets the boxes. */
  code: string;
  onChange: (code: string) => void;
  /** The error message; null: the boxes are in error without a message. */
  error: ReactNode;
  /** Changes with each error, to focus the box where the visitor continues. */
  errorOccurrence?: number | undefined;
  /** The id of an element that describes the code. */
  describedBy?: string | undefined;
  /** Called for Enter or a digit key: the visitor has read the error (specification, point 2). */
  onErrorRead: () => void;
}

/** One box for each digit of a code. */
export function CodeBoxes({
  label,
  length,
  code,
  onChange,
  error,
  errorOccurrence,
  describedBy,
  onErrorRead,
}: CodeBoxesProps): ReactNode {
  const { t } = useLanguage();
  const id = useId();
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const focused = useRef<number>(undefined);

  // Moves the focus to the last enabled box, because a focused box that becomes disabled loses the focus.
  useLayoutEffect(() => {
    const last = countEnabledBoxes(code, length) - 1;
    if (focused.current !== undefined && focused.current > last) boxes.current[last]?.focus();
  }, [code, length]);

  useLayoutEffect(() => {
    if (errorOccurrence !== undefined) boxes.current.findLast((box) => box?.disabled === false)?.focus();
  }, [errorOccurrence]);

  const apply = (edit: CodeEdit | undefined): void => {
    if (!edit) return;
    onChange(edit.code);
    focusAfterDrawing.current = edit.focus;
  };

  // Focuses after the render, because the next box is disabled until then.
  const focusAfterDrawing = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (focusAfterDrawing.current === undefined) return;
    boxes.current[focusAfterDrawing.current]?.focus();
    focusAfterDrawing.current = undefined;
  });

  const pressKey = (box: number, event: KeyboardEvent): void => {
    if (event.key === 'Enter' || /^\d$/.test(event.key)) onErrorRead();
    // The Enter that dismisses an error does not submit the emptied boxes.
    if (event.key === 'Enter' && error !== undefined && code.length < length) event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case 'Backspace':
      case 'Delete':
        event.preventDefault();
        apply(eraseLast(code));
        break;
      case 'ArrowLeft':
      case 'ArrowRight':
      case 'Home':
      case 'End':
        event.preventDefault();
        boxes.current[moveFocus(event.key, box, code, length)]?.focus();
        break;
      default:
    }
  };

  const paste = (box: number, event: ClipboardEvent): void => {
    event.preventDefault();
    apply(pasteText(code, box, event.clipboardData.getData('text'), length));
  };

  return (
    <fieldset className={styles.group} aria-describedby={`${describedBy ?? ''} ${id}-message`.trim()}>
      <legend className={styles.label}>{label}</legend>
      {/* Digits run from left to right in every language. */}
      <div className={styles.boxes} dir="ltr">
        {Array.from({ length }, (_, box) => (
          <input
            key={box}
            className={styles.box}
            ref={(element) => {
              boxes.current[box] = element;
            }}
            name={`code-${box + 1}`}
            inputMode="numeric"
            // Autofill puts the whole code into the first box, so no box can have maxlength=1.
            autoComplete={box === 0 ? 'one-time-code' : 'off'}
            value={code.charAt(box)}
            disabled={box >= countEnabledBoxes(code, length)}
            aria-label={t('mfa.box', { position: box + 1, count: length })}
            aria-invalid={error !== undefined}
            aria-describedby={`${id}-message`}
            onChange={(event) => apply(enterText(code, box, event.currentTarget.value, length))}
            onKeyDown={(event) => pressKey(box, event)}
            onPaste={(event) => paste(box, event)}
            onFocus={(event) => {
              focused.current = box;
              event.currentTarget.select();
            }}
            onBlur={() => {
              focused.current = undefined;
            }}
          />
        ))}
      </div>
      <FieldMessage id={`${id}-message`} error={error} isFormError />
    </fieldset>
  );
}
