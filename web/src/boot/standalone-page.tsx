import { calls } from '@anteroom/contract';
import type { Branding, Config } from '@anteroom/contract';
import type { ReactNode } from 'react';
import { createClient } from '../api/client.ts';
import type { Api, ApiEnvironment } from '../api/client.ts';
import { serviceTime } from '../api/service-time.ts';
import { onMissingText, requireLanguage } from '../i18n/current-language.ts';
import { storeLocale } from '../i18n/language-choice.ts';
import { paths } from '../paths.ts';
import type { EarlyStart } from './early-start.ts';
import { loadConfig } from './load-config.ts';
import { createRoot, flushSync } from './react.ts';
import { removeSplash, showFirstLanguage, showOnSplash } from './splash.ts';

/** Prepares a page outside the sign-in flow: its language, and a client of its own origin without extensions. */
export function openPage({ correlation, language, takeAnswer }: EarlyStart): {
  api: Api;
  environment: ApiEnvironment;
} {
  if (language.isToBeKept) storeLocale(language.locale);
  const locale = (): string => document.documentElement.lang || language.locale;
  const environment = { correlation, locale, takeAnswer };
  const api = createClient(calls, environment);
  onMissingText((what) => {
    const metric = { name: 'text-missing', at: serviceTime(), data: { what } };
    void api.call('postMetrics', { body: { metricData: [metric] } });
  });
  return { api, environment };
}

/**
 * Loads the texts, the configuration and the page's first data, so that nothing shifts later. The splash stays no longer
 * than that: its time of a second is for the sign-in (specification, point 2).
 */
export async function loadPage<TFirst>(
  { language, messages }: EarlyStart,
  api: Api,
  loadFirst: (words: Promise<void>) => Promise<TFirst>,
): Promise<[TFirst, Config]> {
  let config: Config = {};
  const words = showFirstLanguage(language.locale, messages);
  const [first] = await Promise.all([
    loadFirst(words),
    words,
    loadConfig(api, (loaded) => {
      config = loaded;
    }),
  ]);
  return [first, config];
}

/** Reports on the splash that the service does not answer. */
export function reportSlow(): void {
  const { t } = requireLanguage();
  showOnSplash(t('error.serverUnreachable'), t('common.tryAgain'));
}

/** Applies the branding, if any. If its chunk cannot be loaded, the page keeps the default branding. */
export async function showBranding(branding: Branding | undefined): Promise<void> {
  if (branding) await import('./branding.ts').then((part) => part.applyBranding(branding)).catch(() => {});
}

/** Renders the page in place of the splash. */
export function drawPage(page: ReactNode): void {
  const container = document.getElementById('root');
  if (!container) throw new Error('No #root');
  // A page that fails to render shows the error page (specification, point 8: uncaught client errors).
  const root = createRoot(container, { onUncaughtError: () => location.replace(paths.error()) });
  flushSync(() => root.render(page));
  removeSplash();
}
