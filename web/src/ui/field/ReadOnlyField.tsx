import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './field.module.css';

interface ReadOnlyFieldProps {
  label: string;
  name: string;
  value: string;
  autoComplete: string;
}

/** What is known already and only shown; an input all the same, so that password managers see whom the password belongs to. */
export function ReadOnlyField({ label, name, value, autoComplete }: ReadOnlyFieldProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.known}>
      <label className={styles.knownLabel} htmlFor={id}>
        {label}
      </label>
      <input
        className={styles.knownValue}
        id={id}
        name={name}
        value={value}
        autoComplete={autoComplete}
        dir="auto"
        readOnly
      />
    </div>
  );
}
