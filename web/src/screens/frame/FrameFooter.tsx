import { supportedLocales } from '@anteroom/contract';
import type { ReactNode } from 'react';
import { switchLanguage } from '../../i18n/current-language.ts';
import { useLanguage } from '../../i18n/language.ts';
import { isSupportedLocale } from '../../i18n/locales.ts';
import { Footer } from '../../ui/footer/Footer.tsx';
import { globalSupportAddress, privacyPolicyAddress } from '../addresses-of-config.ts';
import { useFlow, useSend } from '../flow-context.tsx';

/** Privacy policy, support and language, unless the application disables them. */
export function FrameFooter(): ReactNode {
  const { locale } = useLanguage();
  const send = useSend();
  const config = useFlow((state) => state.config);
  const support = useFlow(globalSupportAddress);
  const isHidden = useFlow(
    (state) => state.context?.loginFlowCustomizations?.languageSelectionAndLinksDisabled ?? false,
  );
  if (isHidden) return null;

  const chooseLanguage = (chosen: string): void => {
    if (!isSupportedLocale(chosen)) return;
    // If the file cannot be loaded, the current language stays.
    switchLanguage(chosen).catch(() => send({ type: 'CALL_FAILED', failure: { kind: 'unreachable' } }));
  };
  return (
    <Footer
      privacyPolicyAddress={privacyPolicyAddress(config, locale)}
      globalSupportAddress={support}
      locales={supportedLocales}
      onChooseLanguage={chooseLanguage}
    />
  );
}
