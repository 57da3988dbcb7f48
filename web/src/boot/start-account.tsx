import type { Config } from '@anteroom/contract';
import { createAccountApi } from '../api/account-client.ts';
import { createApi } from '../api/client.ts';
import { onMissingText, requireLanguage } from '../i18n/current-language.ts';
import { storeLocale } from '../i18n/language-choice.ts';
import { localeFileAddress, needTexts } from '../i18n/locale-file.ts';
import { paths } from '../paths.ts';
import { AccountScreen } from '../screens/account/AccountScreen.tsx';
import { findParameter } from './arrival.ts';
import type { EarlyStart } from './early-start.ts';
import { loadConfig } from './load-config.ts';
import { createRoot, flushSync } from './react.ts';
import { removeSplash, showOnSplash, showFirstLanguage, splashShown } from './splash.ts';
import { start } from './start.ts';

/**
 * Starts the account page. A visitor who is not signed in, or whose authentication is too old, is redirected to the
 * sign-in and back. If the service has no account page, the error page is shown.
 */
export async function startAccount(early: EarlyStart): Promise<void> {
  const { arrival, correlation, language, messages } = early;
  const search = new URLSearchParams(location.search);
  // The redirect back from the sign-in has `iss` and `state` (RFC 9207).
  const isProved = findParameter(search, 'iss') !== undefined;
  const refererClientId = findParameter(search, 'refererClientId') ?? findParameter(search, 'state');
  const query = new URLSearchParams(refererClientId === undefined ? {} : { refererClientId });
  history.replaceState(null, '', `${location.pathname}${query.size > 0 ? `?${query.toString()}` : ''}`);
  if (language.isToBeKept) storeLocale(language.locale);
  needTexts('account');
  needTexts('authenticator');

  const locale = (): string => document.documentElement.lang || language.locale;
  const api = createApi({ correlation, locale, baseAddress: () => '', extensions: () => undefined });
  const accountApi = createAccountApi(correlation, locale, refererClientId);
  onMissingText((what) => {
    const metric = { name: 'text-missing', at: new Date().toISOString(), data: { what } };
    void api.call('postMetrics', { body: { metricData: [metric] } });
  });

  let config: Config = {};
  const words = showFirstLanguage(language.locale, messages);
  const [result] = await Promise.all([
    words.then(() =>
      accountApi.read(() => showOnSplash(requireLanguage().find('error.serverUnreachable') ?? '')),
    ),
    loadConfig(api, (loaded) => {
      config = loaded;
    }),
    splashShown(arrival.skipSplash),
  ]);
  if (!result.ok) {
    const { status } = result.failure;
    if (status === 404) {
      arrival.entry = { kind: 'error', errorId: undefined, reason: 'address' };
      early.messages = fetch(localeFileAddress(language.locale));
      return await start();
    }
    // Redirects to the sign-in only once, to avoid a loop.
    const mayProve = status === 401 && !isProved;
    return location.replace(mayProve ? accountApi.proofAddress('confirm') : paths.error());
  }
  const { branding } = result.answer;
  if (branding) await import('./branding.ts').then((part) => part.applyBranding(branding)).catch(() => {});

  const container = document.getElementById('root');
  if (!container) throw new Error('index.html has no #root');
  // A page that fails to render shows the error page (specification, point 8: uncaught client errors).
  const root = createRoot(container, { onUncaughtError: () => location.replace(paths.error()) });
  flushSync(() => root.render(<AccountScreen api={accountApi} config={config} first={result.answer} />));
  removeSplash();
}
