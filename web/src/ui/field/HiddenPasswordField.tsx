import type { ReactNode } from 'react';
import styles from './field.module.css';

/** A password field for password managers alone, on the step that asks for the user name first (specification, point 2). */
export function HiddenPasswordField(): ReactNode {
  return (
    <div className={styles.hidden} aria-hidden="true">
      <input name="password" type="password" autoComplete="current-password" tabIndex={-1} />
    </div>
  );
}
