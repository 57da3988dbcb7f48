import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useRevalidator } from 'react-router';
import { Form } from '../form/Form.tsx';
import type { FormProps } from '../form/Form.tsx';
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

type FormPanelProps = Omit<FormProps, 'fields'> & PanelProps & { fields?: readonly string[] };

/** A panel with a form; without fields, it asks before something that cannot be undone. */
export function FormPanel({ title, fields = [], ...form }: FormPanelProps) {
  const { revalidate } = useRevalidator();
  const { error, onCancel } = form;
  const isStale = fields.length === 0 && error?.kind === 'changed';
  useEffect(() => {
    // Nothing is typed here, so the next press is about the entry as it is now.
    if (isStale) void revalidate();
  }, [isStale, revalidate]);
  return (
    <Panel title={title} onCancel={onCancel}>
      <Form fields={fields} {...form} />
    </Panel>
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
