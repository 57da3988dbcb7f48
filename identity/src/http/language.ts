import type { IncomingHttpHeaders } from 'node:http';
import { oldLanguageCodes, supportedLocales } from '@anteroom/contract';
import type { Locale } from '@anteroom/contract';
import { findSingleCookie } from './cookies.ts';

/** The supported locale for a language tag: `pt-BR` is pt, and the outdated `iw` is he. */
export function findLocale(tag: string): Locale | undefined {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/);
  const language = oldLanguageCodes[primary] ?? primary;
  return supportedLocales.find((supported) => supported === language);
}

/** The caller's preferred supported language (RFC 9110, 12.5.4), or English. */
export function languageOf(headers: IncomingHttpHeaders): Locale {
  // Limits the work, because clients choose the length of the header.
  const ranges = (headers['accept-language'] ?? '').slice(0, 200).split(',').slice(0, 10);
  const wished = ranges
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      return { locale: findLocale(tag), weight: weightOf(parameters) };
    })
    .filter(({ locale, weight }) => locale !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  return wished[0]?.locale ?? 'en';
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  const weight = Number(quality.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}

/** The language that the visitor has selected on our pages, or the browser's. */
export function localeOf(headers: IncomingHttpHeaders): Locale {
  return findChosenLocale(headers) ?? languageOf(headers);
}

export function findChosenLocale(headers: IncomingHttpHeaders): Locale | undefined {
  const chosen = findSingleCookie(headers.cookie, 'anteroom_locale');
  return supportedLocales.find((locale) => locale === chosen);
}
