import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import styles from './panel.module.css';

type PanelProps = { title: string; children: ReactNode; onCancel: () => void };

/** What an action needs, below the row or heading where it was started. Escape closes it. */
export function Panel({ title, children, onCancel }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEscape(onCancel);
  useEffect(() => {
    // Unless a field of the panel has taken the focus already.
    if (heading.current?.parentElement?.contains(document.activeElement) !== true) heading.current?.focus();
  }, []);
  return (
    <section className={styles.panel} aria-label={title}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

export function useEscape(onEscape: () => void): void {
  useEffect(() => {
    const listener = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') onEscape();
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [onEscape]);
}
