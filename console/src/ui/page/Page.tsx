import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { t } from '../../texts/texts.ts';
import styles from './page.module.css';

type PageProps = {
  title: string;
  /** Below the title. */
  subtitle?: ReactNode;
  actions?: ReactNode;
  tabs?: { label: string; links: readonly { to: string; text: string }[] };
  children: ReactNode;
};

/** A screen: its title, its tabs and actions, then sections. */
export function Page({ title, subtitle, actions, tabs, children }: PageProps) {
  return (
    <div className={styles.page}>
      <title>{`${title} · Anteroom`}</title>
      <div className={styles.top}>
        <div>
          <h1>
            <bdi>{title}</bdi>
          </h1>
          {subtitle}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {tabs && (
        <nav aria-label={tabs.label} className={styles.tabs}>
          {tabs.links.map(({ to, text }) => (
            <NavLink key={to} to={to}>
              {text}
            </NavLink>
          ))}
        </nav>
      )}
      {children}
    </div>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Actions that are rarely needed, behind one press. */
export function MoreActions({ name, children }: { name: string; children: ReactNode }) {
  return (
    <details className={styles.more}>
      <summary aria-label={t('forms.actions', { name })}>⋯</summary>
      <div>{children}</div>
    </details>
  );
}
