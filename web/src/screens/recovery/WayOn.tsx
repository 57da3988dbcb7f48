import type { ReactNode } from 'react';
import styles from './recovery.module.css';

/** The next action on a page without a form. */
export function WayOn({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.wayOn}>{children}</div>;
}
