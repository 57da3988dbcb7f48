import type { ReactNode } from 'react';
import styles from './button.module.css';

interface ButtonLinkProps {
  /** A validated address. */
  href: string;
  children: ReactNode;
}

/** The only action of a page without a form: a link, because it leaves the page. */
export function ButtonLink({ href, children }: ButtonLinkProps): ReactNode {
  return (
    <a className={`${styles.primary} ${styles.link}`} href={href}>
      {children}
    </a>
  );
}
