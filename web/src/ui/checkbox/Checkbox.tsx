import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './checkbox.module.css';

interface CheckboxProps {
  label: string;
  /** Explains the effect of the checkbox. */
  hint: string | undefined;
  name: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** A checkbox whose whole line is its target. */
export function Checkbox({ label, hint, name, isChecked, onChange }: CheckboxProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.line}>
      <input
        className={styles.box}
        id={id}
        type="checkbox"
        name={name}
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {hint !== undefined && (
        <span className={styles.hint} id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
