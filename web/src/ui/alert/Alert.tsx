import type { ReactNode } from 'react';
import { InlineIcon } from '../icon/InlineIcon.tsx';
import styles from './alert.module.css';

/**
 * The message of a whole form. The place of `role=alert` stays while it is empty, so that readers hear what comes into it.
 * A message that is given again after another try is said again: give `occurrence` a new number.
 */
export function Alert({ message, occurrence }: { message: ReactNode; occurrence: number }): ReactNode {
  return (
    <div role="alert">
      {message !== undefined && (
        <div className={styles.alert} key={occurrence}>
          <InlineIcon name="alert" />
          <div>{message}</div>
        </div>
      )}
    </div>
  );
}
