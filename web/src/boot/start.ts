import type { Locale } from '@anteroom/contract';
import type { FlowState } from '../flow/model.ts';
import type { Flow } from '../flow/store.ts';
import { createFlow } from '../flow/store.ts';
import { createApi } from '../api/client.ts';
import type { ApiSurroundings } from '../api/client.ts';
import { onMissingText, requireLanguage } from '../i18n/current-language.ts';
import { storeLocale } from '../i18n/locale-cookie.ts';
import { findRoute, paths } from '../paths.ts';
import { loadSiteHeader } from '../screens/site-header-part.ts';
import { requireEarlyStart } from './early-start.ts';
import { loadConfig } from './load-config.ts';
import { takeStoredNotice } from './notice.ts';
import type { StoredNotice } from './notice.ts';
import { createEffectRunner } from './run-effects.ts';
import { removeSplash, sayOnSplash, showFirstLanguage, splashSeen } from './splash.ts';

/** The boot order: language and context are under way already; the flow starts, and the screens follow when it knows where. */
export async function start(): Promise<void> {
  const early = requireEarlyStart();
  const { arrival, correlation, language, authContext, messages, takeAnswer } = early;
  const { entry } = arrival;
  // these pages stand beside the flow, and cost a sign-in nothing
  if (entry.kind === 'beside') return (await import('./beside.ts')).startBeside(early, entry.page);
  if (findRoute(location.pathname) === '')
    history.replaceState(null, '', `${paths.login(undefined)}${location.search}`);
  if (language.isToBeKept) storeLocale(language.locale);

  const surroundings: ApiSurroundings = {
    correlation,
    locale: () => document.documentElement.lang || language.locale,
    baseAddress: () => flow.store.getState().baseAddress,
    earlyContext: authContext,
    takeAnswer,
    extensions: () => flow.store.getState().context?.extensions,
  };
  const api = createApi(surroundings);
  const flow = createFlow({ ...arrival, entry }, createEffectRunner(api, surroundings));
  onMissingText((what) => flow.send({ type: 'TEXT_MISSING', what }));
  watchPage(flow, surroundings);

  const notice = takeStoredNotice();
  flow.send({ type: 'STARTED' });

  const [{ showApp }] = await Promise.all([
    import('./show-app.tsx'),
    showWords(language.locale, messages, flow).then(() => tellStoredNotice(notice, flow)),
    loadConfig(api, (config) => flow.send({ type: 'CONFIG_LOADED', config })),
    firstPage(flow),
    splashSeen(arrival.skipSplash),
  ]);
  await showApp(flow, correlation);
  removeSplash();
}

async function showWords(locale: Locale, begun: Promise<Response>, flow: Flow): Promise<void> {
  await showFirstLanguage(locale, begun);
  const showNotification = ({ page, notifications: [first] }: FlowState): void => {
    // no screen is there yet to show a notification
    if (page === undefined && first?.messageKey) sayOnSplash(requireLanguage().find(first.messageKey) ?? '');
    if (page !== undefined) unsubscribe();
  };
  const unsubscribe = flow.store.subscribe(showNotification);
  showNotification(flow.store.getState());
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
    let headed: Promise<void> | undefined;
    const settle = (): void => {
      const { initialisation, page, context, logout } = store.getState();
      const { branding } = context ?? logout ?? {};
      // most applications bring none, and theirs is no weight; a brand that cannot be had is no reason not to sign in
      if (branding)
        branded ??= import('./branding.ts').then((part) => part.applyBranding(branding)).catch(() => {});
      if (context?.defaultSiteDisplayName) headed ??= loadSiteHeader();
      if (initialisation !== 'INITIALIZED' || page === undefined) return;
      unsubscribe();
      resolve(headed ? headed.then(() => branded) : branded);
    };
    const unsubscribe = store.subscribe(settle);
    settle();
  });
}

/** Events of the page as a whole: an uncaught error, a return from the browser's cache of pages, a return to this tab. */
function watchPage(flow: Flow, surroundings: ApiSurroundings): void {
  window.addEventListener('error', ({ filename, error }) => {
    // what an extension put into the page is not ours to answer for; an event without an error is a notice of the browser's own
    if (error && !/^[a-z-]+-extension:/.test(filename)) flow.send({ type: 'CRASHED' });
  });
  window.addEventListener('unhandledrejection', () => flow.send({ type: 'CRASHED' }));
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) flow.send({ type: 'RESTORED' });
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible')
      import('./notice-other-tab.ts').then((part) => part.noticeOtherTab(flow, surroundings)).catch(() => {});
  });
}
