import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ChangeEvent, ClipboardEvent, KeyboardEvent, ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { FieldMessage } from '../field/FieldMessage.tsx';
import { countEnabledBoxes, enterText, eraseLast, isDigit, moveFocus, pasteText } from './code.ts';
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
  /** Content of the message's line. */
  children?: ReactNode;
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
  children,
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

  // An input method composes a text in the box before it commits it. Until then, the text is not part of the code: a
  // change of the value or of the focus would end the composition, and the commit would enter the digits again.
  const [composed, setComposed] = useState<{ box: number; text: string }>();

  const change = (box: number, { currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>): void => {
    const text = currentTarget.value;
    if ('isComposing' in nativeEvent && nativeEvent.isComposing) return setComposed({ box, text });
    enterInto(box, text);
  };
  const endComposition = (box: number, text: string): void => {
    setComposed(undefined);
    // A cancelled composition leaves no text.
    if (text !== '') enterInto(box, text);
  };
  const enterInto = (box: number, text: string): void => {
    const edit = enterText(code, box, text, length);
    // Input methods and keyboards on a screen do not name the keys.
    if (edit && text !== '') onErrorRead();
    apply(edit);
  };

  const pressKey = (box: number, event: KeyboardEvent): void => {
    // The keys of a composition belong to the input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' || isDigit(event.key)) onErrorRead();
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
        {/* A press on a disabled box reaches this label below it, which focuses the next box. */}
        {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- it only takes presses: each box has a name of its own */}
        <label className={styles.below} htmlFor={`${id}-${countEnabledBoxes(code, length)}`} />
        {Array.from({ length }, (_, box) => (
          <input
            key={box}
            className={styles.box}
            ref={(element) => {
              boxes.current[box] = element;
            }}
            id={`${id}-${box + 1}`}
            name={`code-${box + 1}`}
            inputMode="numeric"
            // Autofill puts the whole code into the first box, so no box can have maxlength=1.
            autoComplete={box === 0 ? 'one-time-code' : 'off'}
            value={composed?.box === box ? composed.text : code.charAt(box)}
            disabled={box >= countEnabledBoxes(code, length)}
            aria-label={t('secondFactor.box', { position: box + 1, count: length })}
            aria-invalid={error !== undefined}
            aria-describedby={`${id}-message`}
            onChange={(event) => change(box, event)}
            onCompositionEnd={(event) => endComposition(box, event.currentTarget.value)}
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
      <div className={styles.line} data-room="">
        <FieldMessage id={`${id}-message`} error={error} isFormError />
        {children}
      </div>
    </fieldset>
  );
}
