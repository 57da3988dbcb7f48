import type { Locale } from '@anteroom/contract';
import { findCookie, writeCookie } from '../cookies.ts';

const name = 'anteroom_locale';

/** The unvalidated locale in the cookie. */
export function findStoredLocale(): string | undefined {
  return findCookie(name);
}

/** Stores the selected language. Browsers shorten the far-future expiry to their maximum (400 days in Chromium). */
export function storeLocale(locale: Locale): void {
  writeCookie(name, locale, 'far-future');
}
