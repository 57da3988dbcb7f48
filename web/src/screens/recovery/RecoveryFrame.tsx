import type { ReactNode } from 'react';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import type { RecoveryPage } from '../../paths.ts';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { ActionLink } from '../../ui/link/ActionLink.tsx';
import { StandaloneFrame } from '../StandaloneFrame.tsx';
import { pageAddress, useRecoveryVisit } from './recovery-visit.ts';
import styles from './recovery.module.css';

/** The headings of the pages, which are also their document titles. */
const headings = {
  'forgotten-password': 'recovery.password.heading',
  'new-password': 'recovery.newPassword.heading',
  'not-me': 'recovery.notMe.heading',
  'forgotten-site': 'recovery.site.heading',
} as const satisfies Record<RecoveryPage, MessageKey>;

interface RecoveryFrameProps {
  page: RecoveryPage;
  /** The document title once the form is gone; undefined for the title of the page. */
  title: MessageKey | undefined;
  /** Announced at once while the form is being sent; undefined otherwise. */
  working: MessageKey | undefined;
  /** Announced when the form has been sent. */
  done: string | undefined;
  children: ReactNode;
}

/** The frame of a recovery page. */
export function RecoveryFrame({ page, title, working, done, children }: RecoveryFrameProps): ReactNode {
  const { t } = useLanguage();
  const { config, context, referer } = useRecoveryVisit();
  return (
    <StandaloneFrame
      step={page}
      title={t(title ?? headings[page])}
      config={config}
      customizations={context.loginFlowCustomizations}
      header={<BackToSignIn />}
      hasH1Logo
      isWide={false}
      working={working && t(working)}
      done={done}
      // Replaces the language in the address, so that a reload keeps the visitor's choice.
      onLanguageChosen={(locale) => history.replaceState(null, '', pageAddress(page, locale, referer))}
    >
      {children}
    </StandaloneFrame>
  );
}

/** The link back to the sign-in. Shown only if the service knows the application from which the visitor came. */
function BackToSignIn(): ReactNode {
  const { t } = useLanguage();
  const { signInUrl } = useRecoveryVisit().context;
  if (signInUrl === undefined) return null;
  return (
    <ActionLink action="back" href={signInUrl} isBack>
      {t('recovery.backToSignIn')}
    </ActionLink>
  );
}

/**
 * The user name or e-mail address of a page without a form, with a button to change it. A link to the sign-in carries
 * it.
 */
export function UserNameLine({ name, onChange }: { name: string; onChange?: () => void }): ReactNode {
  const { t } = useLanguage();
  return (
    <p className={styles.userName}>
      <bdi translate="no" data-user-name="">
        {name}
      </bdi>
      {onChange && (
        <ActionButton action="start-again" onPress={onChange}>
          {t('recovery.change')}
        </ActionButton>
      )}
    </p>
  );
}
