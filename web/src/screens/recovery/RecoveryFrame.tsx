import { supportedLocales } from '@anteroom/contract';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { findSafeAddress } from '../../addresses.ts';
import { switchLanguage } from '../../i18n/current-language.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { isSupportedLocale } from '../../i18n/locales.ts';
import type { RecoveryPage } from '../../paths.ts';
import { brand } from '../../ui/brand.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Card } from '../../ui/card/Card.tsx';
import { Footer } from '../../ui/footer/Footer.tsx';
import { ActionLink } from '../../ui/link/ActionLink.tsx';
import { Description, Heading } from '../../ui/text/Heading.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { privacyPolicyAddress } from '../addresses-of-config.ts';
import { pageAddress, useRecoveryVisit } from './recovery-visit.ts';
import styles from './recovery.module.css';

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

/** The frame of a recovery page: card with header and footer, title and live regions. */
export function RecoveryFrame({
  page,
  title: changedTitle,
  working,
  done,
  children,
}: RecoveryFrameProps): ReactNode {
  const { t } = useLanguage();
  const { loginFlowCustomizations } = useRecoveryVisit().context;
  const title = t('titles.document', {
    title: t(changedTitle ?? `recovery.titles.${page}`),
    product: brand.productName,
  });
  useEffect(() => {
    document.title = title;
  }, [title]);

  return (
    <>
      <Card
        step={page}
        isLoading={working !== undefined}
        hasH1Logo
        header={<BackToSignIn />}
        footer={
          loginFlowCustomizations?.languageSelectionAndLinksDisabled ? undefined : (
            <RecoveryFooter page={page} />
          )
        }
        theme="default"
        isWide={false}
        isFlat={loginFlowCustomizations?.nestedUIEliminated ?? false}
        hasErrorMargin={false}
      >
        {children}
      </Card>
      <LiveRegion isAssertive message={working && t(working)} />
      <LiveRegion message={done} />
    </>
  );
}

/** Only if the service knows the application from which the visitor came. */
function BackToSignIn(): ReactNode {
  const { t } = useLanguage();
  const address = findSafeAddress(useRecoveryVisit().context.signInUrl);
  if (address === undefined) return null;
  return (
    <ActionLink action="back" href={address} isBack>
      {t('recovery.backToSignIn')}
    </ActionLink>
  );
}

function RecoveryFooter({ page }: { page: RecoveryPage }): ReactNode {
  const { locale } = useLanguage();
  const { config, referer } = useRecoveryVisit();

  const chooseLanguage = (chosen: string): void => {
    if (!isSupportedLocale(chosen)) return;
    switchLanguage(chosen).then(
      // The address contains the language of the link: a reload must not undo the visitor's choice.
      () => history.replaceState(null, '', pageAddress(page, chosen, referer)),
      // If the file cannot be loaded, the current language stays.
      () => {},
    );
  };
  return (
    <Footer
      privacyPolicyAddress={privacyPolicyAddress(config, locale)}
      globalSupportAddress={findSafeAddress(config.globalSupportUrl)}
      locales={supportedLocales}
      onChooseLanguage={chooseLanguage}
    />
  );
}

/** The next action on a page without a form. */
export function WayOn({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.wayOn}>{children}</div>;
}

interface MessageSentProps {
  heading: string;
  /** The same text whether a message was sent or not. */
  description: string;
  onTryAgain: () => void;
}

/** The confirmation after requesting a message. */
export function MessageSent({ heading, description, onTryAgain }: MessageSentProps): ReactNode {
  const { t } = useLanguage();
  return (
    <>
      <Heading>{heading}</Heading>
      <Description>{description}</Description>
      <WayOn>
        <Button variant="secondary" onPress={onTryAgain}>
          {t('recovery.tryAgain')}
        </Button>
      </WayOn>
    </>
  );
}
