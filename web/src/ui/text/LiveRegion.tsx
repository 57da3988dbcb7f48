import type { ReactNode } from 'react';
import styles from './text.module.css';

interface LiveRegionProps {
  /** What is said when it changes; undefined says nothing. The region itself stays, or readers would miss its first words. */
  message: string | undefined;
  /** Assertive interrupts: for what the visitor waits for, such as a sign-in under way. */
  isAssertive?: boolean;
}

/** Says something to readers without showing it. */
export function LiveRegion({ message, isAssertive = false }: LiveRegionProps): ReactNode {
  return (
    <div className={styles.hidden} aria-live={isAssertive ? 'assertive' : 'polite'}>
      {message}
    </div>
  );
}
