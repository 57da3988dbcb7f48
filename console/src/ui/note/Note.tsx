import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import styles from './note.module.css';

type NoteProps = {
  kind: 'done' | 'error';
  children: ReactNode;
  /** Moves the focus to the note, when the element that had it is gone. */
  takesFocus?: boolean;
};

/** The result of an action, at the place where it was started. */
export function Note({ kind, children, takesFocus = false }: NoteProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) element.current?.focus();
  }, [takesFocus]);
  return (
    <div
      ref={element}
      className={`${styles.note} ${styles[kind]}`}
      role={kind === 'error' ? 'alert' : 'status'}
      tabIndex={takesFocus ? -1 : undefined}
    >
      {children}
    </div>
  );
}
