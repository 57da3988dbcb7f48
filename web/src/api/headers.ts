import type { Correlation } from './correlation.ts';

/** The headers of every call (wire contract, "Headers"). Each use increments the call counter. */
export function callHeaders(locale: string, correlation: Correlation): Record<string, string> {
  return {
    Accept: 'application/json',
    'Accept-Language': locale,
    'Conforming-Errors': 'true',
    ...correlation.nextHeaders(),
  };
}
