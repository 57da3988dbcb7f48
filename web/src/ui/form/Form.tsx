import type { ReactNode, Ref, SubmitEvent } from 'react';
import styles from './form.module.css';

interface FormProps {
  /** Told what the fields hold at this moment; nothing of it is kept. */
  onSubmit: (data: FormData) => void;
  ref?: Ref<HTMLFormElement> | undefined;
  children: ReactNode;
}

/** A form whose messages are our own: the browser's bubbles would come in its language and vanish. */
export function Form({ onSubmit, ref, children }: FormProps): ReactNode {
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form className={styles.form} ref={ref} onSubmit={submit} noValidate>
      {children}
    </form>
  );
}

/** What stands under the fields: the primary action, a second one, a link. */
export function FormActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.actions}>{children}</div>;
}
