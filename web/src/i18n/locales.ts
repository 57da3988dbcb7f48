import { supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';

/** Whether a string names one of the eleven languages, exactly as the locale files spell it. */
export function isSupportedLocale(value: string): value is Locale {
  return (supportedLocales as readonly string[]).includes(value);
}

/** Which way a language runs. */
export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' || locale === 'he' ? 'rtl' : 'ltr';
}

const privacyPolicySuffixes: Partial<Record<Locale, string>> = { en: '', pt: 'pt-br', zh: 'zh-hans' };

/** What the address of the privacy policy ends in: mostly the language's code (specification, point 2, "Page layout"). */
export function privacyPolicySuffixOf(locale: Locale): string {
  return privacyPolicySuffixes[locale] ?? locale;
}
