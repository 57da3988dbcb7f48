import type { ReactNode } from 'react';
import styles from './text.module.css';

interface LiveRegionProps {
  /**
   * Announced when it changes. The region exists while this is undefined, or screen readers would miss its first
   * message.
   */
  message: string | undefined;
  /** Interrupts the screen reader. For news that the visitor waits for, such as the progress of a sign-in. */
  isAssertive?: boolean;
}

/** Announces a message to screen readers without showing it. */
export function LiveRegion({ message, isAssertive = false }: LiveRegionProps): ReactNode {
  return (
    <div className={styles.hidden} aria-live={isAssertive ? 'assertive' : 'polite'}>
      {message}
    </div>
  );
}

/** Visually hidden text for screen readers. */
export function VisuallyHidden({ children }: { children: ReactNode }): ReactNode {
  return <span className={styles.hidden}>{children}</span>;
}
