import type { Failure } from '../flow/events.ts';
import type { MessageKey } from '../i18n/keys.ts';
import type { Translator } from '../i18n/translator.ts';

/** The text of a failure that belongs to no field, with `failureParameters`. */
export function failureMessage({ kind, code }: Failure): MessageKey {
  if (kind === 'unreachable') return 'error.serverUnreachable';
  // Without its cookies, the browser cannot send the anti-forgery token.
  if (code === 'csrf_failed') return 'error.cookies.subHeading';
  return code === 'rate_limit_reached' || code === 'overloaded'
    ? 'error.rateLimitReached'
    : 'error.unexpectedErrorOccurred';
}

/** The same text in words, with the time to wait if the service sends it. */
export function failureText(failure: Failure, t: Translator['t']): string {
  const { code, retryAfterSeconds } = failure;
  return code === 'rate_limit_reached' && retryAfterSeconds !== undefined
    ? t('error.tooManyAttempts', { count: Math.max(1, Math.ceil(retryAfterSeconds / 60)) })
    : t(failureMessage(failure), failureParameters);
}

/** The values of the placeholders in these texts. */
export const failureParameters = { host: location.host };
