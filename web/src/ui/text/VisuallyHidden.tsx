import type { ReactNode } from 'react';
import styles from './text.module.css';

/** Visually hidden text for screen readers. */
export function VisuallyHidden({ children }: { children: ReactNode }): ReactNode {
  return <span className={styles.hidden}>{children}</span>;
}
