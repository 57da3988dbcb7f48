import {
  oldLanguageCodes,
  privacyPolicySuffixes,
  rightToLeftLocales,
  supportedLocales,
} from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';

/** Whether a string is a supported locale, spelled exactly like the locale files. */
export function isSupportedLocale(value: string): value is Locale {
  return (supportedLocales as readonly string[]).includes(value);
}

/** The supported locale for a language tag: `zh-TW` is zh, `pt-BR` is pt, `iw` (Hebrew until 1989) is he. */
export function findLocale(tag: string | undefined): Locale | undefined {
  const [primary = ''] = (tag ?? '').toLowerCase().split(/[-_]/);
  const language = oldLanguageCodes[primary] ?? primary;
  return isSupportedLocale(language) ? language : undefined;
}

/** The writing direction of a language. */
export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return rightToLeftLocales.includes(locale) ? 'rtl' : 'ltr';
}

/** The suffix of the privacy policy's address (specification, point 2, "Page layout"). */
export function privacyPolicySuffixOf(locale: Locale): string {
  return privacyPolicySuffixes[locale] ?? locale;
}

/** The tag for dates: British in English, and Western digits in every language (decision 013). */
export const dateTagOf = (locale: Locale): string =>
  `${locale === 'en' ? 'en-GB' : locale}-u-ca-gregory-nu-latn`;
