import type { ReactNode } from 'react';
import styles from './field.module.css';

/** Tells password managers whose password is being changed. Hidden from users and screen readers. */
export function HiddenUserNameField({ value }: { value: string }): ReactNode {
  return (
    <div className={styles.hidden} aria-hidden="true">
      <input name="userName" value={value} autoComplete="username" tabIndex={-1} readOnly />
    </div>
  );
}
