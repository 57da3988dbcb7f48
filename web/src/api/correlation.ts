import { correlationIdShape } from '@anteroom/contract';
import { findCookie, writeCookie } from '../cookies.ts';

const cookieName = 'anteroom_correlation';

export interface Correlation {
  readonly id: string;
  /** The headers of the next call; the counter starts at 1 with each page load. */
  nextHeaders: () => Record<'X-Correlation-Id' | 'CorrelationId', string>;
}

/**
 * The correlation id stays the same across reloads and redirects to the identity service; a session cookie stores it.
 */
export function openCorrelation(): Correlation {
  let id = findCookie(cookieName);
  // Not again when it is there, because the browser's next reading of its cookies would take longer.
  if (id === undefined || !correlationIdShape.test(id)) {
    id = newCorrelationId();
    writeCookie(cookieName, id, 'session');
  }
  let calls = 0;
  return {
    id,
    nextHeaders() {
      calls += 1;
      return { 'X-Correlation-Id': `${id}.${calls}`, CorrelationId: id };
    },
  };
}

/** `crypto.randomUUID` exists only in secure contexts; on plain http, errors still need an id. */
function newCorrelationId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** The headers of every call (wire contract, "Headers"). Each use increments the call counter. */
export function callHeaders(locale: string, correlation: Correlation): Record<string, string> {
  return {
    Accept: 'application/json',
    'Accept-Language': locale,
    'Conforming-Errors': 'true',
    ...correlation.nextHeaders(),
  };
}
