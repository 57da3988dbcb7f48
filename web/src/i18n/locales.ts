import { supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';

interface LocaleFacts {
  /** The language's name in the language itself. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** What the address of the privacy policy ends in (specification, point 2, "Page layout"). */
  privacyPolicySuffix: string;
}

const facts: Readonly<Record<Locale, LocaleFacts>> = {
  en: { name: 'English', direction: 'ltr', privacyPolicySuffix: '' },
  de: { name: 'Deutsch', direction: 'ltr', privacyPolicySuffix: 'de' },
  es: { name: 'Español', direction: 'ltr', privacyPolicySuffix: 'es' },
  fr: { name: 'Français', direction: 'ltr', privacyPolicySuffix: 'fr' },
  it: { name: 'Italiano', direction: 'ltr', privacyPolicySuffix: 'it' },
  nl: { name: 'Nederlands', direction: 'ltr', privacyPolicySuffix: 'nl' },
  pt: { name: 'Português', direction: 'ltr', privacyPolicySuffix: 'pt-br' },
  zh: { name: '简体中文', direction: 'ltr', privacyPolicySuffix: 'zh-hans' },
  ja: { name: '日本語', direction: 'ltr', privacyPolicySuffix: 'ja' },
  ar: { name: 'العربية', direction: 'rtl', privacyPolicySuffix: 'ar' },
  he: { name: 'עברית', direction: 'rtl', privacyPolicySuffix: 'he' },
};

/** Whether a string names one of the eleven languages, exactly as the locale files spell it. */
export function isSupportedLocale(value: string): value is Locale {
  return (supportedLocales as readonly string[]).includes(value);
}

/** What is known of a language that is supported. */
export function localeFacts(locale: Locale): LocaleFacts {
  return facts[locale];
}

/** The name of a language in the language itself; undefined for one that is not supported. */
export function findLanguageName(locale: string): string | undefined {
  return isSupportedLocale(locale) ? facts[locale].name : undefined;
}
