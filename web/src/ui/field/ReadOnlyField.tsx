import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './field.module.css';

/**
 * A read-only user name that wraps over several lines. An invisible input over the text tells password managers the
 * account.
 */
export function ReadOnlyField({ label, value }: { label: string; value: string }): ReactNode {
  const id = useId();
  return (
    <div className={styles.known}>
      <label className={styles.knownLabel} htmlFor={id}>
        {label}
      </label>
      <div className={styles.knownValue}>
        <bdi translate="no" aria-hidden="true">
          {value}
        </bdi>
        <input id={id} name="userName" value={value} autoComplete="username" dir="auto" readOnly />
      </div>
    </div>
  );
}
