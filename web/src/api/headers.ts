import type { Correlation } from './correlation.ts';

/** What every call carries (wire contract, "Headers"); each use counts one call. */
export function callHeaders(locale: string, correlation: Correlation): Record<string, string> {
  return {
    Accept: 'application/json',
    'Accept-Language': locale,
    'Conforming-Errors': 'true',
    ...correlation.nextHeaders(),
  };
}
