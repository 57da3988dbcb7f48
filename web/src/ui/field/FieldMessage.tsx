import type { ReactNode } from 'react';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import { Room } from '../room/Room.tsx';
import styles from './field.module.css';

interface FieldMessageProps {
  id: string;
  /** The message; undefined or null: none. */
  error: ReactNode;
  /** The service's error about the whole form, shown here because it concerns this field. Announced at once. */
  isFormError?: boolean | undefined;
  /** An action to resolve the error. Shown beside the message, but not part of the field's description. */
  action?: ReactNode;
}

/** The line under a field. The line exists even without a message, so that a message shifts nothing. */
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
