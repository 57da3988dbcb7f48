import type { ReactNode } from 'react';
import styles from './button.module.css';

type ButtonProps = {
  children: ReactNode;
  onPress?: () => void;
  isSubmit?: boolean;
  variant?: 'primary' | 'secondary' | 'danger' | 'quiet';
  /** Shows that the press is being worked on, and ignores further ones. */
  isPending?: boolean;
  isExpanded?: boolean;
  label?: string;
  remedy?: string;
  /** The panel that the button opens. */
  opens?: string;
};

export function Button({
  children,
  onPress,
  isSubmit = false,
  variant = 'primary',
  isPending = false,
  isExpanded,
  label,
  remedy,
  opens,
}: ButtonProps) {
  return (
    <button
      type={isSubmit ? 'submit' : 'button'}
      className={`${styles.button} ${styles[variant]}`}
      // Stays focusable, so that a keyboard user keeps the place.
      aria-disabled={isPending || undefined}
      aria-expanded={isExpanded}
      aria-label={label}
      data-remedy={remedy}
      data-opens={opens}
      onClick={(event) => {
        if (isPending) event.preventDefault();
        else onPress?.();
      }}
    >
      {children}
    </button>
  );
}
