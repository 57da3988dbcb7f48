import { use } from 'react';
import type { ReactNode } from 'react';
import { LastSubmission } from '../form/Form.tsx';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import { Room } from '../room/Room.tsx';
import styles from './field.module.css';

interface FieldMessageProps {
  id: string;
  /** The name of the field. */
  name?: string;
  /** The message; undefined or null: none. */
  error: ReactNode;
  /** The service's error about the whole form, shown here because it concerns this field. Announced at once. */
  isFormError?: boolean | undefined;
  /** A message that does not concern the value of the field. Shown without an error, and announced at once. */
  notice?: ReactNode;
  /** Shown instead of everything else. Not announced here. */
  hint?: string | undefined;
}

/**
 * The line under a field. The line exists even without a message, so that a message shifts nothing. A screen reader reads
 * a message with the field to which the focus moves; where the focus was already, the message is announced.
 */
export function FieldMessage(props: FieldMessageProps): ReactNode {
  const { id, name, error, notice, hint } = props;
  const isFormError = props.isFormError === true || use(LastSubmission).from === name;
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
