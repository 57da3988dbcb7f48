import type { ReactNode } from 'react';
import styles from './text.module.css';

/** Words for readers that nobody sees. */
export function VisuallyHidden({ children }: { children: ReactNode }): ReactNode {
  return <span className={styles.hidden}>{children}</span>;
}
