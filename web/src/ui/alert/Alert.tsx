import type { ReactNode } from 'react';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import { Room } from '../room/Room.tsx';
import styles from './alert.module.css';

/**
 * The message of a whole form. The element with `role=alert` exists while it is empty, so that screen readers announce
 * its first message. To announce a repeated message again, change `occurrence`.
 */
export function Alert({ message, occurrence }: { message: ReactNode; occurrence: number }): ReactNode {
  return (
    <Room className={styles.place} role="alert">
      <Message message={message} level="error" key={occurrence} />
    </Room>
  );
}

interface MessageProps {
  message: ReactNode;
  level: 'info' | 'error';
}

/** A message above a step. It has been announced elsewhere, so it is not a live region. */
export function StepBanner(props: MessageProps): ReactNode {
  return (
    <Room className={`${styles.place} ${styles.banner}`} data-banner={props.message && props.level}>
      <Message {...props} />
    </Room>
  );
}

function Message({ message, level }: MessageProps): ReactNode {
  if (message === undefined) return null;
  return (
    <div className={`${styles.alert} ${styles[level]}`}>
      <InlineIcon name={level === 'error' ? 'alert' : 'info'} />
      <div>{message}</div>
    </div>
  );
}
