import type { ReactNode } from 'react';
import styles from './text.module.css';

/** The text under a heading. */
export function Description({ children, id }: { children: ReactNode; id?: string | undefined }): ReactNode {
  return (
    <div className={styles.description} id={id}>
      {children}
    </div>
  );
}
