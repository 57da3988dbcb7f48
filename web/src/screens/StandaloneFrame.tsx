import { supportedLocales } from '@anteroom/contract';
import type { AuthContext, Config, Locale } from '@anteroom/contract';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { findSafeAddress } from '../addresses.ts';
import { chooseLanguage } from '../i18n/choose-language.ts';
import { useLanguage } from '../i18n/language.ts';
import { brand } from '../ui/brand.ts';
import { Card } from '../ui/card/Card.tsx';
import { Footer } from '../ui/footer/Footer.tsx';
import { LiveRegion } from '../ui/text/LiveRegion.tsx';
import { privacyPolicyAddress } from './addresses-of-config.ts';

interface StandaloneFrameProps {
  step: string;
  title: string;
  config: Config;
  customizations: AuthContext['loginFlowCustomizations'];
  header: ReactNode;
  hasH1Logo: boolean;
  isWide: boolean;
  /** Announced at once while a call is in flight; undefined otherwise. */
  working: string | undefined;
  /** Announced when the call has succeeded. */
  done: string | undefined;
  onLanguageChosen?: (locale: Locale) => void;
  children: ReactNode;
}

/** The frame of a page outside the sign-in flow: card with header and footer, title and live regions. */
export function StandaloneFrame(props: StandaloneFrameProps): ReactNode {
  const { step, title, config, customizations, header, hasH1Logo, isWide } = props;
  const { working, done, onLanguageChosen, children } = props;
  const { t, locale } = useLanguage();
  const documentTitle = t('titles.document', { title, product: brand.productName });
  useEffect(() => {
    document.title = documentTitle;
  }, [documentTitle]);
  return (
    <>
      <Card
        step={step}
        isLoading={working !== undefined}
        hasH1Logo={hasH1Logo}
        header={header}
        footer={
          customizations?.languageSelectionAndLinksDisabled ? undefined : (
            <Footer
              privacyPolicyAddress={privacyPolicyAddress(config, locale)}
              globalSupportAddress={findSafeAddress(config.globalSupportUrl)}
              locales={supportedLocales}
              onChooseLanguage={(chosen) => chooseLanguage(chosen, onLanguageChosen)}
            />
          )
        }
        theme="default"
        isWide={isWide}
        isFlat={customizations?.nestedUIEliminated ?? false}
        hasErrorMargin={false}
      >
        {children}
      </Card>
      <LiveRegion isAssertive message={working} />
      <LiveRegion message={done} />
    </>
  );
}
