import type { Locale } from '@anteroom/contract';
import { findCookie, writeCookie } from '../cookies.ts';
import { findParameter, queryOf } from '../query.ts';
import { findLocale } from './locales.ts';

/** The unvalidated sources of the visitor's language. */
export interface LanguageSources {
  /** ReturnUrl from the address, decoded once. */
  returnUrl: string | undefined;
  /** The language in a recovery link; applies to this visit only. */
  culture?: string | undefined;
  /** The value of the cookie `anteroom_locale`. */
  storedLocale: string | undefined;
  /** The browser's languages in order of preference (`navigator.languages`). */
  browserLanguages: readonly string[];
}

export interface LanguageChoice {
  locale: Locale;
  /** Whether the language came from the address and replaces the stored one. */
  isToBeKept: boolean;
}

/**
 * The language of a visit: `requested_language` inside ReturnUrl, else the culture of a recovery link, else the stored
 * locale, else the first supported language of the browser, else English (wire contract, "Decisions").
 */
export function chooseLanguage({
  returnUrl,
  culture,
  storedLocale,
  browserLanguages,
}: LanguageSources): LanguageChoice {
  const requested = findLocale(findRequestedLanguage(returnUrl));
  if (requested) return { locale: requested, isToBeKept: true };
  const found = [culture, storedLocale, ...browserLanguages]
    .map(findLocale)
    .find((locale) => locale !== undefined);
  return { locale: found ?? 'en', isToBeKept: false };
}

/** `requested_language` in the query of a relative or absolute ReturnUrl; the parameter name is case-insensitive. */
export function findRequestedLanguage(returnUrl: string | undefined): string | undefined {
  return findParameter(queryOf(returnUrl), 'requested_language');
}

const name = 'anteroom_locale';

/** The unvalidated locale in the cookie. */
export function findStoredLocale(): string | undefined {
  return findCookie(name);
}

/** Stores the selected language. Browsers shorten the far-future expiry to their maximum (400 days in Chromium). */
export function storeLocale(locale: Locale): void {
  writeCookie(name, locale, 'far-future');
}
