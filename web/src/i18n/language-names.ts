import { languageNames } from '@anteroom/contract/language-names';
import { isSupportedLocale } from './locales.ts';

/** The language's name in the language itself; undefined for an unsupported one. */
export function findLanguageName(locale: string): string | undefined {
  return isSupportedLocale(locale) ? languageNames[locale] : undefined;
}
