import type { ReactNode } from 'react';
import styles from './button.module.css';

interface ButtonLinkProps {
  /** An address that has been checked. */
  href: string;
  children: ReactNode;
}

/** The one way on from a page that asks for nothing: a link, because it leaves the page. */
export function ButtonLink({ href, children }: ButtonLinkProps): ReactNode {
  return (
    <a className={`${styles.primary} ${styles.link}`} href={href}>
      {children}
    </a>
  );
}
