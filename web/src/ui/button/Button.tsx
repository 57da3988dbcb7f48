import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { VisuallyHidden } from '../text/VisuallyHidden.tsx';
import type { FrameAction } from '../link/action.ts';
import styles from './button.module.css';

interface SubmitButtonProps {
  action?: FrameAction | undefined;
  /** Whether its form is being sent. The button keeps size and focus and shows the progress in itself after 150 ms. */
  isPending: boolean;
  children: ReactNode;
}

/** The one primary action of a form. */
export function SubmitButton({ action, isPending, children }: SubmitButtonProps): ReactNode {
  const { t } = useLanguage();
  return (
    // aria-disabled and not disabled: the focus stays where it was; the flow passes over a second submission
    <button
      className={styles.primary}
      type="submit"
      data-action={action}
      aria-disabled={isPending || undefined}
    >
      <span className={isPending ? styles.pendingLabel : undefined}>{children}</span>
      {isPending && (
        <>
          <span className={styles.progress} aria-hidden="true">
            <span />
            <span />
            <span />
          </span>
          <VisuallyHidden> {t('common.working')}</VisuallyHidden>
        </>
      )}
    </button>
  );
}

interface ButtonProps {
  action?: FrameAction | undefined;
  onPress: () => void;
  variant: 'primary' | 'secondary';
  children: ReactNode;
}

/** A button that does something on this page at once. */
export function Button({ action, onPress, variant, children }: ButtonProps): ReactNode {
  return (
    <button className={styles[variant]} type="button" data-action={action} onClick={onPress}>
      {children}
    </button>
  );
}
