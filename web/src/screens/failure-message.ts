import type { Failure } from '../flow/events.ts';
import type { MessageKey } from '../i18n/keys.ts';

/** The text of a failure that belongs to no field. */
export function failureMessage({ kind, code }: Failure): MessageKey {
  if (kind === 'unreachable') return 'error.serverUnreachable';
  return code === 'rate_limit_reached' || code === 'overloaded'
    ? 'error.rateLimitReached'
    : 'error.unexpectedErrorOccurred';
}
