import type { Locale } from '@anteroom/contract';
import { splashDelayMs } from '../flow/constants.ts';
import { loadLanguage } from '../i18n/current-language.ts';

const splash = document.querySelector('[data-splash]');

/** Resolves 1000 ms after the first paint, or at once if there is no splash to show (specification, point 9). */
export async function splashShown(skip: boolean): Promise<void> {
  if (skip || !splash) return;
  const firstPaint = performance.getEntriesByName('first-paint')[0]?.startTime ?? performance.now();
  const remainingMs = splashDelayMs - (performance.now() - firstPaint);
  await new Promise((resolve) => setTimeout(resolve, remainingMs));
}

/** Removes the splash, which covers the page. */
export function removeSplash(): void {
  splash?.remove();
}

/** Shown before a language has loaded. */
export const unreachableInEnglish = 'We cannot reach the service. Check your connection and try again.';

/** Loads the language of the visit, or English if that fails. The splash reports slow loading. */
export async function showFirstLanguage(locale: Locale, begun: Promise<Response>): Promise<void> {
  const onSlow = (): void => showOnSplash(unreachableInEnglish);
  await loadLanguage(locale, { begun, onSlow }).catch((error: unknown) => {
    if (locale === 'en') throw error;
    return loadLanguage('en');
  });
}

/** Shows a message on the splash. */
export function showOnSplash(text: string): void {
  if (!splash) return;
  const line = splash.querySelector('[role=status]') ?? document.createElement('p');
  line.setAttribute('role', 'status');
  line.textContent = text;
  if (!line.isConnected) splash.append(line);
}
