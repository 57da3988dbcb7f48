import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './account.module.css';

/** A section of the account page with its heading. */
export function Section({ heading, children }: { heading: string; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 className={styles.heading} id={id}>
        {heading}
      </h2>
      {children}
    </section>
  );
}

/** The buttons and links of a section. */
export function SectionActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.actions}>{children}</div>;
}
