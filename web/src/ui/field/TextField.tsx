import { use, useId, useState } from 'react';
import type { ComponentProps, InputEvent, ReactNode } from 'react';
import { LastSubmission } from '../form/Form.tsx';
import { FieldMessage } from './FieldMessage.tsx';
import styles from './field.module.css';

/** The attributes of the uncontrolled input: its value exists only in the DOM. */
type InputProps = Pick<
  ComponentProps<'input'>,
  'ref' | 'defaultValue' | 'onKeyDown' | 'onKeyUp' | 'onBlur' | 'onInput'
>;

/** Props of all text fields. */
export interface FieldProps extends InputProps {
  label: string;
  /** The name in the form payload. */
  name: string;
  /** Says how to correct the value; undefined without an error. */
  error: ReactNode;
  /** The error is about the present value, not about that of the last submission. */
  isPresent?: boolean;
  /** See FieldMessage. */
  isFormError?: boolean;
  /** See FieldMessage. */
  notice?: ReactNode;
  /** The id of an element that screen readers read with the field: rules, the message of the form. */
  describedBy?: string | undefined;
  /** The autofill token; `off` if none fits. */
  autoComplete: string;
  /** Content at the end of the label's line. */
  aside?: ReactNode;
  /** Content between the label and the input. */
  above?: ReactNode;
}

interface TextFieldProps extends FieldProps {
  /** Selects the keyboard for an e-mail address or phone number. The browser validates nothing. */
  type?: 'text' | 'email' | 'tel' | 'password';
  /** See FieldMessage. */
  hint?: string | undefined;
  /** A button in the field. */
  children?: ReactNode;
}

/**
 * A text field with its label above and its message below. Without `maxlength`, because a truncated paste would be a
 * different name: the form reports input that is too long. The error of a submission disappears when the visitor
 * changes the value.
 */
export function TextField(props: TextFieldProps): ReactNode {
  const {
    label,
    name,
    error: found,
    isPresent,
    isFormError,
    notice,
    hint,
    describedBy,
    aside,
    above,
    children,
    onInput,
    ...input
  } = props;
  const last = use(LastSubmission);
  const [editedAfter, setEditedAfter] = useState<typeof last>();
  const error = isPresent || editedAfter !== last ? found : undefined;
  const edit = (event: InputEvent<HTMLInputElement>): void => {
    if (error !== undefined) setEditedAfter(last);
    onInput?.(event);
  };
  const id = useId();
  const messageId = `${id}-message`;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {above}
      <div className={styles.frame}>
        <input
          type="text"
          // A name is not a sentence: no capitals, corrections or spelling checks.
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          // The direction follows the value, not the page; Arabic letters of a password still join.
          dir="auto"
          {...input}
          onInput={edit}
          className={children ? `${styles.input} ${styles.withButton}` : styles.input}
          id={id}
          name={name}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy ? `${messageId} ${describedBy}` : messageId}
        />
        {children}
      </div>
      {/* After the input in the order of the focus, because few visitors need it. */}
      {aside && <div className={styles.aside}>{aside}</div>}
      <FieldMessage
        id={messageId}
        name={name}
        error={error}
        isFormError={isFormError}
        notice={notice}
        hint={hint}
      />
    </div>
  );
}
