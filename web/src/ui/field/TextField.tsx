import { useId } from 'react';
import type { ReactNode, Ref } from 'react';
import { FieldMessage } from './FieldMessage.tsx';
import styles from './field.module.css';

/** Props of all text fields. */
export interface FieldProps {
  label: string;
  /** The name in the form payload. */
  name: string;
  /** Says how to correct the value; undefined without an error. */
  error: ReactNode;
  /** See FieldMessage. */
  notice?: ReactNode;
  /** The id of an element that screen readers read with the field: rules, the message of the form. */
  describedBy?: string | undefined;
  /** The uncontrolled input: its value exists only in the DOM. */
  ref?: Ref<HTMLInputElement> | undefined;
}

interface TextFieldProps extends FieldProps {
  defaultValue?: string | undefined;
  /** The autofill token; `off` if none fits. */
  autoComplete: string;
  /** Selects the keyboard for an e-mail address or phone number. The browser validates nothing. */
  type?: 'text' | 'email' | 'tel';
  /** See FieldMessage. */
  isFormError?: boolean;
}

/**
 * A text field with its label above and its message below. Without `maxlength`, because a truncated paste would be a
 * different name: the form reports input that is too long.
 */
export function TextField(props: TextFieldProps): ReactNode {
  const { label, name, defaultValue, error, isFormError, notice, describedBy, ref, autoComplete } = props;
  const id = useId();
  const messageId = `${id}-message`;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        className={styles.input}
        id={id}
        ref={ref}
        name={name}
        type={props.type ?? 'text'}
        defaultValue={defaultValue}
        autoComplete={autoComplete}
        // A name is not a sentence: no capitals, corrections or spelling checks.
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        dir="auto"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy ? `${messageId} ${describedBy}` : messageId}
      />
      <FieldMessage id={messageId} name={name} error={error} isFormError={isFormError} notice={notice} />
    </div>
  );
}
