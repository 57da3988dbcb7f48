import type { IncomingHttpHeaders } from 'node:http';
import { randomUUID } from 'node:crypto';

/** What may come back in a log line, a header and an error page: nothing that could break a line or a tag. */
const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's `X-Correlation-Id` (its own id and running counter), else `CorrelationId`, else a fresh one. */
export function correlationIdOf(headers: IncomingHttpHeaders): string {
  for (const name of ['x-correlation-id', 'correlationid']) {
    const value = headers[name];
    if (typeof value === 'string' && acceptable.test(value)) return value;
  }
  return randomUUID();
}
