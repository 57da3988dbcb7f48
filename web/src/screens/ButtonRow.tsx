import type { ReactNode } from 'react';
import styles from './button-row.module.css';

/** The buttons of a form in one row, the primary button first. */
export function ButtonRow({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.row}>{children}</div>;
}
