import type { ReactNode } from 'react';
import styles from './recovery.module.css';

/** What somebody may do next on a page that asks for nothing. */
export function WayOn({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.wayOn}>{children}</div>;
}
