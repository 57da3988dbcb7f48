import { useId } from 'react';
import type { ReactNode, Ref } from 'react';
import { FieldMessage } from './FieldMessage.tsx';
import styles from './field.module.css';

/** What every field with words in it is told. */
export interface FieldProps {
  label: string;
  /** As the form payload spells it. */
  name: string;
  /** What to do about the value, in words; undefined while nothing is wrong. */
  error: ReactNode;
  /** More that readers should hear with the field: rules, the message of the whole form. */
  describedBy?: string | undefined;
  /** The input itself: it is not controlled, so that what is typed stands in the page and nowhere else. */
  ref?: Ref<HTMLInputElement> | undefined;
}

interface TextFieldProps extends FieldProps {
  defaultValue?: string | undefined;
  /** What the browser may fill in; `off` where nothing fits. */
  autoComplete: string;
  /** An e-mail gets the keyboard for it; nothing is checked by the browser. */
  type?: 'text' | 'email';
  /** What the visitor can do about the error, beside its words. */
  action?: ReactNode;
}

/**
 * One line of text with its label above and its message below. It has no `maxlength`: input that is too long is told, because a cut
 * paste would be another name.
 */
export function TextField(props: TextFieldProps): ReactNode {
  const { label, name, defaultValue, error, describedBy, ref, autoComplete, type = 'text', action } = props;
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
        type={type}
        defaultValue={defaultValue}
        autoComplete={autoComplete}
        // names are not sentences
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        dir="auto"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy ? `${messageId} ${describedBy}` : messageId}
      />
      <FieldMessage id={messageId} error={error} action={action} />
    </div>
  );
}
