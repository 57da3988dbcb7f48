import type { ReactNode } from 'react';
import styles from './field.module.css';

/** A password field only for password managers, on the step with the user name alone (specification, point 2). */
export function HiddenPasswordField(): ReactNode {
  return (
    <div className={styles.hidden} aria-hidden="true">
      <input name="password" type="password" autoComplete="current-password" tabIndex={-1} />
    </div>
  );
}
