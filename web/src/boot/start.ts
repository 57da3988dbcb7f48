import type { Locale } from '@anteroom/contract';
import type { Flow } from '../flow/store.ts';
import { createFlow } from '../flow/store.ts';
import { createApi } from '../api/client.ts';
import type { ApiSurroundings } from '../api/client.ts';
import { loadLanguage, onMissingText, requireLanguage } from '../i18n/current-language.ts';
import { storeLocale } from '../i18n/locale-cookie.ts';
import { findRoute, paths } from '../paths.ts';
import { requireEarlyStart } from './early-start.ts';
import { loadConfig } from './load-config.ts';
import { takeStoredNotice } from './notice.ts';
import type { StoredNotice } from './notice.ts';
import { createEffectRunner } from './run-effects.ts';
import { removeSplash, sayOnSplash, splashSeen } from './splash.ts';

/** The boot order: language and context are under way already; the flow starts, and the screens follow when it knows where. */
export async function start(): Promise<void> {
  const early = requireEarlyStart();
  const { arrival, correlation, language, authContext, messages } = early;
  const { entry } = arrival;
  // these pages stand beside the flow, and cost a sign-in nothing
  if (entry.kind === 'recovery') {
    const { startRecovery } = await import('./start-recovery.tsx');
    return startRecovery(early, entry.page);
  }
  if (findRoute(location.pathname) === '')
    history.replaceState(null, '', `${paths.login(undefined)}${location.search}`);
  if (language.isToBeKept) storeLocale(language.locale);

  const surroundings: ApiSurroundings = {
    correlation,
    locale: () => document.documentElement.lang || language.locale,
    baseAddress: () => flow.store.getState().baseAddress,
    earlyContext: authContext,
  };
  const api = createApi(surroundings);
  const flow = createFlow({ ...arrival, entry }, createEffectRunner(api, surroundings));
  onMissingText((what) => flow.send({ type: 'TEXT_MISSING', what }));
  watchPage(flow);

  const notice = takeStoredNotice();
  flow.send({ type: 'STARTED' });

  const [{ showApp }] = await Promise.all([
    import('./show-app.tsx'),
    showWords(language.locale, messages, flow).then(() => tellStoredNotice(notice, flow)),
    loadConfig(api, (config) => flow.send({ type: 'CONFIG_LOADED', config })),
    firstPage(flow),
    splashSeen(arrival.skipSplash),
  ]);
  await showApp(flow, correlation.id);
  removeSplash();
}

/** The language of the visit, else English; without either the splash says so. */
async function showWords(locale: Locale, early: Promise<Response>, flow: Flow): Promise<void> {
  await loadLanguage(locale, early).catch(() => loadLanguage('en'));
  const unsubscribe = flow.store.subscribe((state) => {
    // no screen is there yet to show a notification
    const [told] = state.page === undefined ? state.notifications : [];
    if (told?.messageKey) sayOnSplash(requireLanguage().find(told.messageKey) ?? '');
    if (state.page !== undefined) unsubscribe();
  });
}

/** What another page left to be told. One that the words do not know is none, and hides nothing that is. */
function tellStoredNotice(notice: StoredNotice | undefined, flow: Flow): void {
  if (!notice || requireLanguage().find(notice.key) === undefined) return;
  const { level, key } = notice;
  flow.send({ type: 'NOTICE_FOUND', notice: { level, messageKey: key, durationMs: 0 } });
}

/** Resolves when the flow knows which page is the first, in the brand of the application that asked. */
function firstPage({ store }: Flow): Promise<void> {
  return new Promise((resolve) => {
    let branded: Promise<void> | undefined;
    const settle = (): void => {
      const { initialisation, page, context, logout } = store.getState();
      const { branding } = context ?? logout ?? {};
      // most applications bring none, and theirs is no weight; a brand that cannot be had is no reason not to sign in
      if (branding)
        branded ??= import('./branding.ts').then((part) => part.applyBranding(branding)).catch(() => {});
      if (initialisation !== 'INITIALIZED' || page === undefined) return;
      unsubscribe();
      resolve(branded);
    };
    const unsubscribe = store.subscribe(settle);
    settle();
  });
}

/** What happens to the page as a whole: an uncaught error of ours, and a return from the browser's own cache of pages. */
function watchPage(flow: Flow): void {
  window.addEventListener('error', ({ filename, error }) => {
    // what an extension put into the page is not ours to answer for; an event without an error is a notice of the browser's own
    if (error && !/^[a-z-]+-extension:/.test(filename)) flow.send({ type: 'CRASHED' });
  });
  window.addEventListener('unhandledrejection', () => flow.send({ type: 'CRASHED' }));
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) flow.send({ type: 'RESTORED' });
  });
}
