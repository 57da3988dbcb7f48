import type { Locale } from '@anteroom/contract';
import { findCookie, writeCookie } from '../cookies.ts';

const name = 'anteroom_locale';

/** The stored locale as the cookie has it; whoever reads it checks it. */
export function findStoredLocale(): string | undefined {
  return findCookie(name);
}

/** Keeps the choice for the next visits; browsers shorten the far future to what they allow (400 days in Chromium). */
export function storeLocale(locale: Locale): void {
  writeCookie(name, locale, 'far-future');
}
