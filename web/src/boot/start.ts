import { calls } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import type { FlowState } from '../flow/model.ts';
import type { Flow } from '../flow/store.ts';
import { createFlow } from '../flow/store.ts';
import { createClient } from '../api/client.ts';
import type { ApiEnvironment } from '../api/client.ts';
import { onMissingText, requireLanguage } from '../i18n/current-language.ts';
import { storeLocale } from '../i18n/language-choice.ts';
import { isOwnFailure } from '../own-failure.ts';
import { findLeftStep } from '../screens/left-step.ts';
import { findRoute, paths } from '../paths.ts';
import { requireEarlyStart } from './early-start.ts';
import { loadConfig } from './load-config.ts';
import { takeStoredNotice } from './notice.ts';
import type { StoredNotice } from './notice.ts';
import { createEffectRunner } from './run-effects.ts';
import { showApp } from './show-app.tsx';
import { removeSplash, showOnSplash, showFirstLanguage, splashShown } from './splash.ts';

/**
 * Starts the sign-in. Language and context have already been requested; the flow starts, and the screens load when it
 * knows the first page.
 */
export async function start(): Promise<void> {
  const early = requireEarlyStart();
  const { arrival, correlation, language, messages, takeAnswer } = early;
  const { entry } = arrival;
  // Pages outside the flow are separate chunks, so that a sign-in does not load them.
  if (entry.kind === 'standalone')
    return (await import('./start-standalone.ts')).startStandalone(early, entry.page, start);
  if (findRoute(location.pathname) === '')
    history.replaceState(null, '', `${paths.login(undefined)}${location.search}`);
  if (language.isToBeKept) storeLocale(language.locale);

  const environment: ApiEnvironment = {
    correlation,
    locale: () => document.documentElement.lang || language.locale,
    baseAddress: () => flow.store.getState().baseAddress,
    takeAnswer,
    extensions: () => flow.store.getState().context?.extensions,
  };
  const api = createClient(calls, environment);
  const flow = createFlow(
    { ...arrival, entry, leftStep: findLeftStep() },
    createEffectRunner(api, environment),
  );
  onMissingText((what) => flow.send({ type: 'TEXT_MISSING', what }));
  watchPage(flow, environment);

  const notice = takeStoredNotice();
  await nextTask();
  flow.send({ type: 'STARTED' });

  await Promise.all([
    showWords(language.locale, messages, flow).then(() => showStoredNotice(notice, flow)),
    loadConfig(api, (config) => flow.send({ type: 'CONFIG_LOADED', config })),
    firstPage(flow),
    splashShown(arrival.skipSplash),
  ]);
  await nextTask();
  await showApp(flow, correlation);
  removeSplash();
  early.endShell?.();
}

/** Ends the current task, so that the browser can handle input (a task of 50 ms or more delays it noticeably). */
const nextTask = (): Promise<void> =>
  window.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));

async function showWords(locale: Locale, begun: Promise<Response>, flow: Flow): Promise<void> {
  await showFirstLanguage(locale, begun);
  const showNotification = ({ page, notifications: [first] }: FlowState): void => {
    // There is no screen yet to show a notification.
    const { t, find } = requireLanguage();
    if (page === undefined && first?.messageKey) showOnSplash(find(first.messageKey), t('common.tryAgain'));
    if (page !== undefined) unsubscribe();
  };
  const unsubscribe = flow.store.subscribe(showNotification);
  showNotification(flow.store.getState());
}

/** Shows a notice from another page. Ignores a notice with an unknown key, so that it does not replace another one. */
function showStoredNotice(notice: StoredNotice | undefined, flow: Flow): void {
  if (!notice || requireLanguage().find(notice.key) === undefined) return;
  const { level, key } = notice;
  flow.send({ type: 'NOTICE_FOUND', notice: { level, messageKey: key, durationMs: 0 } });
}

/** Resolves when the flow has its first page and the branding is applied. */
function firstPage({ store }: Flow): Promise<void> {
  return new Promise((resolve) => {
    let branded: Promise<void> | undefined;
    const settle = (): void => {
      const { initialisation, page, context, logout } = store.getState();
      const { branding } = context ?? logout ?? {};
      // Most applications have no branding, so its code is a separate chunk. A failure to load it does not stop a
      // sign-in.
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

/**
 * Handles page-wide events: uncaught errors of the application, a return of the connection or from the back/forward
 * cache, a return to this tab.
 */
function watchPage(flow: Flow, environment: ApiEnvironment): void {
  const onFailure = (failure: unknown): void => {
    if (isOwnFailure(failure)) flow.send({ type: 'CRASHED' });
  };
  window.addEventListener('error', ({ error }) => onFailure(error));
  window.addEventListener('unhandledrejection', ({ reason }) => onFailure(reason));
  window.addEventListener('online', () => flow.send({ type: 'CONNECTED' }));
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) flow.send({ type: 'RESTORED' });
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible')
      import('./notice-other-tab.ts').then((part) => part.noticeOtherTab(flow, environment)).catch(() => {});
  });
}
