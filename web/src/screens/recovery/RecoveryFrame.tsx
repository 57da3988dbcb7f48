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
import { Card } from '../../ui/card/Card.tsx';
import { Footer } from '../../ui/footer/Footer.tsx';
import { ActionLink } from '../../ui/link/ActionLink.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { privacyPolicyAddress } from '../addresses-of-config.ts';
import { pageAddress, useRecoveryVisit } from './recovery-visit.ts';

interface RecoveryFrameProps {
  page: RecoveryPage;
  /** The title of the document once the page says something else than its form; undefined for that of the page. */
  title: MessageKey | undefined;
  /** What readers hear, at once, while the form is being sent; undefined when it is not. */
  working: MessageKey | undefined;
  /** What readers hear when it has been sent. */
  done: string | undefined;
  children: ReactNode;
}

/** What stands around a recovery page: the card with its header and footer, the title and what readers hear. */
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

/** Only when the service knows where the visitor came from. */
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
      // the address names the language of a link: a reload must not undo the visitor's own choice
      () => history.replaceState(null, '', pageAddress(page, chosen, referer)),
      // the language before stays when the file of the new one is not to be had
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
