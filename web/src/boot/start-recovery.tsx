import type { Branding, Config, FrontEndMetric } from '@anteroom/contract';
import { createApi } from '../api/client.ts';
import { takeUserName } from '../carried-user-name.ts';
import { createRecoveryApi } from '../api/recovery-client.ts';
import type { RecoveryApi } from '../api/recovery-client.ts';
import { onMissingText, requireLanguage } from '../i18n/current-language.ts';
import { needTexts } from '../i18n/locale-file.ts';
import { storeLocale } from '../i18n/language-choice.ts';
import { paths } from '../paths.ts';
import type { RecoveryPage } from '../paths.ts';
import { RecoveryApp } from '../screens/recovery/RecoveryApp.tsx';
import type { PasswordLink, Referer, RecoveryVisit } from '../screens/recovery/recovery-visit.ts';
import { createRoot, flushSync } from './react.ts';
import { findParameter } from './arrival.ts';
import type { EarlyStart } from './early-start.ts';
import { loadConfig } from './load-config.ts';
import { removeSplash, showOnSplash, showFirstLanguage, splashShown } from './splash.ts';

/** Starts a recovery page. Loads everything that it shows before the splash is removed, so that nothing shifts. */
export async function startRecovery(
  { arrival, correlation, language, messages }: EarlyStart,
  page: RecoveryPage,
): Promise<void> {
  const token = page === 'new-password' || page === 'not-me' ? takeToken() : undefined;
  if (language.isToBeKept) storeLocale(language.locale);
  needTexts('recovery');

  const locale = (): string => document.documentElement.lang || language.locale;
  const api = createApi({ correlation, locale, baseAddress: () => '', extensions: () => undefined });
  const recoveryApi = createRecoveryApi(correlation, locale);
  onMissingText((what) => {
    const at = new Date().toISOString();
    const metric: FrontEndMetric = { name: 'text-missing', at, data: { what } };
    void api.call('postMetrics', { body: { metricData: [metric] } });
  });

  let config: Config = {};
  const words = showFirstLanguage(language.locale, messages);
  const [known] = await Promise.all([
    words.then(() => findKnown(recoveryApi, page, readReferer(), token)),
    loadConfig(api, (loaded) => {
      config = loaded;
    }),
    splashShown(arrival.skipSplash),
  ]);
  if (known === undefined) return location.replace(paths.error());
  const userName = page === 'forgotten-password' ? takeUserName() : undefined;
  const isInvitation = findParameter(new URLSearchParams(location.search), 'invitation') !== undefined;
  draw(page, { api: recoveryApi, config, userName, isInvitation, ...known });
  removeSplash();
}

/**
 * Takes the token of the recovery link. Removes it from the address bar and the history at once; only this page's
 * memory has it. Another link opened in this tab differs only in its fragment, which by itself loads nothing.
 */
function takeToken(): string | undefined {
  const token = location.hash.slice(1);
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  window.addEventListener('hashchange', () => location.reload());
  return token === '' ? undefined : token;
}

function readReferer(): Referer {
  const search = new URLSearchParams(location.search);
  return {
    refererClientId: findParameter(search, 'refererClientId'),
    refererRedirectUri: findParameter(search, 'refererRedirectUri'),
  };
}

/** Requests what the page shows first; undefined without an answer. */
async function findKnown(
  api: RecoveryApi,
  page: RecoveryPage,
  referer: Referer,
  token: string | undefined,
): Promise<Pick<RecoveryVisit, 'referer' | 'context' | 'link'> | undefined> {
  const result = await api.readContext(referer, () =>
    showOnSplash(requireLanguage().find('error.serverUnreachable') ?? ''),
  );
  if (!result.ok) return undefined;
  const [link] = await Promise.all([openLink(api, page, token), showBrand(result.answer.branding)]);
  return { referer, context: result.answer, link };
}

/** Most applications have no branding; a failure to load it does not stop the page. */
async function showBrand(branding: Branding | undefined): Promise<void> {
  if (branding) await import('./branding.ts').then((part) => part.applyBranding(branding)).catch(() => {});
}

async function openLink(
  api: RecoveryApi,
  page: RecoveryPage,
  token: string | undefined,
): Promise<PasswordLink> {
  if (token === undefined) return { state: 'missing' };
  if (page === 'not-me') return { state: 'open', token, facts: undefined };
  const result = await api.call('openPasswordLink', { body: { token } });
  if (result.ok) return { state: 'open', token, facts: result.answer };
  return result.failure.code === 'recovery_link_invalid' || result.failure.code === 'validation_failed'
    ? { state: 'invalid' }
    : { state: 'open', token, facts: undefined };
}

function draw(page: RecoveryPage, visit: RecoveryVisit): void {
  const container = document.getElementById('root');
  if (!container) throw new Error('index.html has no #root');
  // A page that fails to render shows the error page (specification, point 8: uncaught client errors).
  const root = createRoot(container, { onUncaughtError: () => location.replace(paths.error()) });
  flushSync(() => root.render(<RecoveryApp page={page} visit={visit} />));
}
