import { useEffect, useRef, useState } from 'react';
import type { ReactNode, Ref, SubmitEvent } from 'react';
import textStyles from '../text/text.module.css';
import styles from './form.module.css';

interface FormProps {
  /** Called with the current values, which are not stored. */
  onSubmit: (data: FormData) => void;
  ref?: Ref<HTMLFormElement> | undefined;
  children: ReactNode;
}

/**
 * A form that shows its own messages, because the browser's messages disappear and are in the browser's language. A
 * screen reader reads a message with the field to which the focus moves; if the focus was already there, the form
 * announces it.
 */
export function Form({ onSubmit, ref, children }: FormProps): ReactNode {
  const region = useRef<HTMLDivElement>(null);
  const [submission, setSubmission] = useState<{ focused: Element | null }>();
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    announce('');
    setSubmission({ focused: document.activeElement });
    onSubmit(new FormData(event.currentTarget));
  };
  const announce = (message: string): void => {
    if (region.current) region.current.textContent = message;
  };
  useEffect(() => {
    if (submission && submission.focused === document.activeElement)
      announce(unannouncedMessageOf(submission.focused));
  }, [submission]);
  return (
    <form className={styles.form} ref={ref} onSubmit={submit} noValidate>
      {children}
      <div className={textStyles.hidden} aria-live="assertive" ref={region} />
    </form>
  );
}

/** The message of a field, unless the message announces itself. */
function unannouncedMessageOf(field: Element | null): string {
  if (field?.getAttribute('aria-invalid') !== 'true') return '';
  const [id = ''] = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  const message = document.getElementById(id);
  return message?.closest('[role=alert]') ? '' : (message?.textContent ?? '');
}

/** The actions under the fields: primary, secondary, link. */
export function FormActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.actions}>{children}</div>;
}
