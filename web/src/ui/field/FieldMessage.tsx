import type { ReactNode } from 'react';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import { Room } from '../room/Room.tsx';
import styles from './field.module.css';

interface FieldMessageProps {
  id: string;
  /** Undefined or null: no words. */
  error: ReactNode;
  /** What the service said of the whole form stands here because it is about this field: readers hear it at once. */
  isFormError?: boolean | undefined;
  /** What the visitor can do about it: beside the words, and no part of the field's description. */
  action?: ReactNode;
}

/** The line under a field. It is kept while it is empty, so that a message moves nothing. */
export function FieldMessage({ id, error, isFormError = false, action }: FieldMessageProps): ReactNode {
  return (
    <Room className={styles.message} role={isFormError ? 'alert' : undefined}>
      {error != null && <InlineIcon name="alert" />}
      <span>
        <span id={id}>{error}</span> {action}
      </span>
    </Room>
  );
}
