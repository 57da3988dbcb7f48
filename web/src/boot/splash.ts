import type { Locale } from '@anteroom/contract';
import { splashDelayMs } from '../flow/constants.ts';
import { loadLanguage } from '../i18n/current-language.ts';
import buttons from '../ui/button/button.module.css';

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
  const onSlow = (): void => showOnSplash();
  await loadLanguage(locale, { begun, onSlow }).catch((error: unknown) => {
    if (locale === 'en') throw error;
    return loadLanguage('en');
  });
}

/** Shows a message on the splash, and a link that loads the page again. */
export function showOnSplash(text = unreachableInEnglish, again = 'Try again'): void {
  if (!splash) return;
  // The same elements stay, so that the link keeps the focus.
  const line = splash.querySelector('p') ?? document.createElement('p');
  const link = splash.querySelector('a') ?? document.createElement('a');
  line.role = 'status';
  line.textContent = text;
  link.className = `${buttons.primary} ${buttons.link}`;
  link.href = '';
  link.textContent = again;
  if (!line.isConnected) splash.append(line, link);
}
