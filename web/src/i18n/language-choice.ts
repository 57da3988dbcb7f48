import type { Locale } from '@anteroom/contract';
import { isSupportedLocale } from './locales.ts';

/** Where the visitor's language may be written; each as it arrived, checked here. */
export interface LanguageSources {
  /** ReturnUrl as it stands in the address, decoded once. */
  returnUrl: string | undefined;
  /** The language that a recovery link names; for the visit, it is not kept. */
  culture?: string | undefined;
  /** The value of the cookie `anteroom_locale`. */
  storedLocale: string | undefined;
  /** The browser's list, the preferred one first (`navigator.languages`). */
  browserLanguages: readonly string[];
}

export interface LanguageChoice {
  locale: Locale;
  /** Whether the choice came with the address and so replaces the one that is stored. */
  isToBeKept: boolean;
}

/**
 * The language of a visit: `requested_language` inside ReturnUrl, else the culture of a recovery link, else the stored one, else the
 * first supported one of the browser's list, else English (wire contract, "Decisions").
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

/** The supported locale that a language tag means: `zh-TW` is zh, `pt-BR` is pt, `iw` (Hebrew until 1989) is he. */
export function findLocale(tag: string | undefined): Locale | undefined {
  const [primary = ''] = (tag ?? '').toLowerCase().split(/[-_]/);
  const language = primary === 'iw' ? 'he' : primary;
  return isSupportedLocale(language) ? language : undefined;
}

/** `requested_language` of ReturnUrl's own query, its name without regard to case; ReturnUrl may be relative or absolute. */
export function findRequestedLanguage(returnUrl: string | undefined): string | undefined {
  const query = /\?([^#]*)/.exec(returnUrl ?? '')?.[1];
  const entries = [...new URLSearchParams(query)];
  return entries.find(([name]) => name.toLowerCase() === 'requested_language')?.[1];
}
