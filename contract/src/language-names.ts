import { languages, supportedLocales } from './languages.ts';
import type { Locale } from './languages.ts';

/** The name of each language in the language itself. A separate module, because the page loads it only with its language menu. */
export const languageNames = Object.fromEntries(
  supportedLocales.map((locale) => [locale, languages[locale].name]),
) as Readonly<Record<Locale, string>>;
