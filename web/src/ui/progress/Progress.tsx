import type { ReactNode } from 'react';
import styles from './progress.module.css';

/** Shows that what was pressed is under way, after 150 ms. A live region of the screen says so to screen readers. */
export function Progress(): ReactNode {
  return <span className={styles.progress} />;
}
