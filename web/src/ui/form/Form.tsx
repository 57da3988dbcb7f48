import { createContext, useState } from 'react';
import type { ReactNode, Ref, SubmitEvent } from 'react';
import styles from './form.module.css';

interface FormProps {
  /** Called with the current values, which are not stored. */
  onSubmit: (data: FormData) => void;
  ref?: Ref<HTMLFormElement> | undefined;
  children: ReactNode;
}

/** The last submission of a form, a new object each time. */
interface Submission {
  /** The name of the field that had the focus. */
  from: string;
}

const none: Submission = { from: '' };
export const LastSubmission = createContext(none);

/** A form that shows its own messages, because the browser's messages disappear and are in the browser's language. */
export function Form({ onSubmit, ref, children }: FormProps): ReactNode {
  const [last, setLast] = useState(none);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setLast({ from: document.activeElement?.getAttribute('name') ?? '' });
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form className={styles.form} ref={ref} onSubmit={submit} noValidate>
      <LastSubmission value={last}>{children}</LastSubmission>
    </form>
  );
}

/** The actions under the fields, or of a page without a form: primary, secondary, link. */
export function FormActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.actions}>{children}</div>;
}
