import type { ReactNode, Ref } from 'react';
import styles from './button.module.css';

type ButtonProps = {
  children: ReactNode;
  onPress?: () => void;
  isSubmit?: boolean;
  variant?: 'primary' | 'secondary' | 'danger' | 'quiet';
  /** Shows that the press is being worked on, and ignores further ones. */
  isPending?: boolean;
  isExpanded?: boolean;
  controls?: string;
  label?: string;
  remedy?: string;
  /** The panel that the button opens. */
  opens?: string;
  ref?: Ref<HTMLButtonElement>;
};

export function Button({
  children,
  onPress,
  isSubmit = false,
  variant = 'primary',
  isPending = false,
  isExpanded,
  controls,
  label,
  remedy,
  opens,
  ref,
}: ButtonProps) {
  return (
    <button
      ref={ref}
      type={isSubmit ? 'submit' : 'button'}
      className={`${styles.button} ${styles[variant]}`}
      // Stays focusable, so that a keyboard user keeps the place.
      aria-disabled={isPending || undefined}
      aria-expanded={isExpanded}
      aria-controls={isExpanded ? controls : undefined}
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
