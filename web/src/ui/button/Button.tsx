import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { VisuallyHidden } from '../text/LiveRegion.tsx';
import type { FrameAction } from '../link/action.ts';
import styles from './button.module.css';

interface SubmitButtonProps {
  action?: FrameAction | undefined;
  /**
   * Whether the form is being submitted. The button keeps its size and focus and shows a progress indicator after 150
   * ms.
   */
  isPending: boolean;
  children: ReactNode;
}

/** The one primary action of a form. */
export function SubmitButton({ action, isPending, children }: SubmitButtonProps): ReactNode {
  return (
    // `aria-disabled` keeps the focus, unlike `disabled`; the flow ignores a second submission.
    <button
      className={styles.primary}
      type="submit"
      data-action={action}
      aria-disabled={isPending || undefined}
    >
      <Label isPending={isPending}>{children}</Label>
    </button>
  );
}

/** The content of a button: its label, or a progress indicator. */
function Label({ isPending, children }: Pick<SubmitButtonProps, 'isPending' | 'children'>): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <span className={isPending ? styles.pendingLabel : undefined}>{children}</span>
      {isPending && (
        <>
          <span className={styles.progress} aria-hidden="true">
            <span />
            <span />
            <span />
          </span>
          <VisuallyHidden>{` ${t('common.working')}`}</VisuallyHidden>
        </>
      )}
    </>
  );
}

interface ButtonProps {
  action?: FrameAction | undefined;
  onPress: () => void;
  variant: 'primary' | 'secondary';
  /** Whether the action is in flight (see SubmitButton). */
  isPending?: boolean;
  children: ReactNode;
}

/** A secondary button, for an action on this page. */
export function Button({ action, onPress, variant, isPending = false, children }: ButtonProps): ReactNode {
  return (
    <button
      className={styles[variant]}
      type="button"
      data-action={action}
      aria-disabled={isPending || undefined}
      onClick={onPress}
    >
      <Label isPending={isPending}>{children}</Label>
    </button>
  );
}

interface ButtonLinkProps {
  action?: FrameAction | undefined;
  /** A validated address. */
  href: string;
  variant?: 'primary' | 'secondary' | undefined;
  children: ReactNode;
}

/** An action of a page without a form: a link, because it leaves the page. */
export function ButtonLink({ action, href, variant = 'primary', children }: ButtonLinkProps): ReactNode {
  return (
    <a className={`${styles[variant]} ${styles.link}`} href={href} data-action={action}>
      {children}
    </a>
  );
}
