import type { Locale } from '@anteroom/contract';
import { isSupportedLocale } from './locales.ts';

/** Apart from what the first screen needs: only an open menu shows them. */
const names: Readonly<Record<Locale, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pt: 'Português',
  zh: '简体中文',
  ja: '日本語',
  ar: 'العربية',
  he: 'עברית',
};

/** The name of a language in the language itself; undefined for one that is not supported. */
export function findLanguageName(locale: string): string | undefined {
  return isSupportedLocale(locale) ? names[locale] : undefined;
}
