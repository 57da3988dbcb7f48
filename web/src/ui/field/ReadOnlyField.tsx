import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './field.module.css';

interface ReadOnlyFieldProps {
  label: string;
  name: string;
  value: string;
  autoComplete: string;
}

/**
 * A value that is known already and only shown, whole on as many lines as it needs. Over the text lies an input without a look of its own, from which password managers learn the account.
 */
export function ReadOnlyField({ label, name, value, autoComplete }: ReadOnlyFieldProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.known}>
      <label className={styles.knownLabel} htmlFor={id}>
        {label}
      </label>
      <div className={styles.knownValue}>
        <bdi aria-hidden="true">{value}</bdi>
        <input id={id} name={name} value={value} autoComplete={autoComplete} dir="auto" readOnly />
      </div>
    </div>
  );
}
