import type { ReactNode } from 'react';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import styles from './field.module.css';

interface FieldMessageProps {
  id: string;
  /** Undefined or null: no words. */
  error: ReactNode;
  /** What the service said of the whole form stands here because it is about this field: readers hear it at once. */
  isFormError?: boolean | undefined;
}

/** The line under a field. It is kept while it is empty, so that a message moves nothing. */
export function FieldMessage({ id, error, isFormError = false }: FieldMessageProps): ReactNode {
  return (
    <div className={styles.message} id={id} role={isFormError ? 'alert' : undefined}>
      {error != null && (
        <>
          <InlineIcon name="alert" />
          <span>{error}</span>
        </>
      )}
    </div>
  );
}
