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
  const { t } = useLanguage();
  return (
    // `aria-disabled` keeps the focus, unlike `disabled`; the flow ignores a second submission.
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

/** A secondary button, for an action on this page. */
export function Button({ action, onPress, variant, children }: ButtonProps): ReactNode {
  return (
    <button className={styles[variant]} type="button" data-action={action} onClick={onPress}>
      {children}
    </button>
  );
}

interface ButtonLinkProps {
  /** A validated address. */
  href: string;
  children: ReactNode;
}

/** The only action of a page without a form: a link, because it leaves the page. */
export function ButtonLink({ href, children }: ButtonLinkProps): ReactNode {
  return (
    <a className={`${styles.primary} ${styles.link}`} href={href}>
      {children}
    </a>
  );
}
