import type { IncomingHttpHeaders } from 'node:http';
import { supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { findSingleCookie } from './cookies.ts';

/** What codes of old mean today (`iw` is how some platforms still say Hebrew). */
const renamed: Readonly<Record<string, string>> = { iw: 'he' };

/** The supported language that the caller likes best (RFC 9110, 12.5.4); English when there is none. */
export function languageOf(headers: IncomingHttpHeaders): Locale {
  // A header is as long as a client likes; nobody means the tenth language.
  const ranges = (headers['accept-language'] ?? '').slice(0, 200).split(',').slice(0, 10);
  const wished = ranges
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const primary = tag.split('-')[0] ?? '';
      return { language: renamed[primary] ?? primary, weight: weightOf(parameters) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  for (const { language } of wished) {
    const locale = supportedLocales.find((supported) => supported === language);
    if (locale !== undefined) return locale;
  }
  return 'en';
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  const weight = Number(quality.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}

/** The language that the visitor has chosen on our pages, else the browser's. */
export function localeOf(headers: IncomingHttpHeaders): Locale {
  return findChosenLocale(headers) ?? languageOf(headers);
}

export function findChosenLocale(headers: IncomingHttpHeaders): Locale | undefined {
  const chosen = findSingleCookie(headers.cookie, 'anteroom_locale');
  return supportedLocales.find((locale) => locale === chosen);
}
