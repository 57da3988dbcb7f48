import { passkeyCalls } from '@anteroom/contract/passkeys';
import type { AuthContext, Config } from '@anteroom/contract';
import { findSafeAddress } from '../addresses.ts';
import { createApi } from '../api/client.ts';
import { sendCall } from '../api/send-call.ts';
import type { CallEnvironment } from '../api/send-call.ts';
import type { Failure } from '../flow/events.ts';
import { storeLocale } from '../i18n/language-choice.ts';
import { needTexts } from '../i18n/locale-file.ts';
import { paths } from '../paths.ts';
import { privacyPolicyAddress } from '../screens/addresses-of-config.ts';
import { canCreate, createPasskey } from '../screens/passkey-ceremonies.ts';
import { PasskeyOffer } from '../screens/passkey/PasskeyOffer.tsx';
import type { EarlyStart } from './early-start.ts';
import { loadConfig } from './load-config.ts';
import { createRoot, flushSync } from './react.ts';
import { removeSplash, showFirstLanguage, splashShown } from './splash.ts';

/**
 * Starts the page that offers a passkey, between a finished sign-in and the application. A browser without support for
 * passkeys continues at once.
 */
export async function startPasskey({ arrival, correlation, language, messages }: EarlyStart): Promise<void> {
  const { returnUrl } = arrival;
  if (language.isToBeKept) storeLocale(language.locale);
  needTexts('passkey');
  const locale = (): string => document.documentElement.lang || language.locale;
  // These calls do not announce the extension `passkeys`, so the service returns the application's address, not this page's.
  const api = createApi({ correlation, locale, baseAddress: () => '', extensions: () => undefined });
  const environment = (): CallEnvironment => ({
    correlation,
    locale: locale(),
    base: '',
    extensions: ['passkeys'],
  });

  async function goOn(): Promise<{ failure: Failure } | undefined> {
    const result = await api.call('getPostLoginRedirect', { query: { returnUrl } });
    if (!result.ok) return { failure: result.failure };
    location.replace(findSafeAddress(result.answer.location) ?? paths.error());
    return undefined;
  }

  const mayCreate = await canCreate().catch(() => false);
  if (!mayCreate) {
    if (await goOn()) location.replace(paths.error());
    return;
  }

  let config: Config = {};
  let context: AuthContext | undefined;
  await Promise.all([
    showFirstLanguage(language.locale, messages),
    loadConfig(api, (loaded) => {
      config = loaded;
    }),
    api.call('getAuthContext', { query: { returnUrl } }).then(async (result) => {
      context = result.ok ? result.answer : undefined;
      const branding = context?.branding;
      if (branding)
        await import('./branding.ts').then((part) => part.applyBranding(branding)).catch(() => {});
    }),
    splashShown(arrival.skipSplash),
  ]);
  const customizations = context?.loginFlowCustomizations;
  const container = document.getElementById('root');
  if (!container) throw new Error('index.html has no #root');
  const root = createRoot(container, { onUncaughtError: () => location.replace(paths.error()) });
  flushSync(() =>
    root.render(
      <PasskeyOffer
        create={() =>
          createPasskey({
            begin: () => sendCall(passkeyCalls.beginPasskeyEnrolment, { body: { returnUrl } }, environment()),
            keep: (credential) =>
              sendCall(passkeyCalls.enrolPasskey, { body: { returnUrl, credential } }, environment()),
          })
        }
        decline={() => sendCall(passkeyCalls.declinePasskey, { body: { returnUrl } }, environment())}
        goOn={goOn}
        privacyPolicyAddress={privacyPolicyAddress(config, language.locale)}
        globalSupportAddress={findSafeAddress(config.globalSupportUrl)}
        hasLinks={!customizations?.languageSelectionAndLinksDisabled}
        isFlat={customizations?.nestedUIEliminated ?? false}
      />,
    ),
  );
  removeSplash();
}
