import type { Failure } from '../flow/events.ts';
import type { MessageKey } from '../i18n/keys.ts';

/** What a person reads of a failure that is about no field: one place for the three forms. */
export function failureMessage({ kind, code }: Failure): MessageKey {
  if (kind === 'unreachable') return 'error.serverUnreachable';
  return code === 'rate_limit_reached' || code === 'overloaded'
    ? 'error.rateLimitReached'
    : 'error.unexpectedErrorOccurred';
}
