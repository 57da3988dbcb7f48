import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './field.module.css';

/**
 * A user name that is known already and only shown, whole on as many lines as it needs. Over the text lies an input without a look of its own, from which password managers learn the account.
 */
export function ReadOnlyField({ label, value }: { label: string; value: string }): ReactNode {
  const id = useId();
  return (
    <div className={styles.known}>
      <label className={styles.knownLabel} htmlFor={id}>
        {label}
      </label>
      <div className={styles.knownValue}>
        <bdi aria-hidden="true">{value}</bdi>
        <input id={id} name="userName" value={value} autoComplete="username" dir="auto" readOnly />
      </div>
    </div>
  );
}
