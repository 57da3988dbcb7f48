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
  /** A message that does not concern the value of the field. Shown without an error, and announced at once. */
  notice?: ReactNode;
  /** Shown instead of everything else. Not announced here. */
  hint?: string | undefined;
}

/** The line under a field. The line exists even without a message, so that a message shifts nothing. */
export function FieldMessage({ id, error, isFormError = false, notice, hint }: FieldMessageProps): ReactNode {
  const message = hint ?? error ?? notice;
  return (
    <Room
      className={styles.message}
      data-hint={hint && ''}
      role={!hint && (isFormError || (error == null && notice)) ? 'alert' : undefined}
    >
      {message != null && <InlineIcon name={hint ? 'info' : 'alert'} />}
      <span id={id}>{message}</span>
    </Room>
  );
}
