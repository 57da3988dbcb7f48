import * as v from 'valibot';
import { maybe } from './schema.ts';

/**
 * Every error code with its HTTP status (wire contract, "Errors"; specification, point 8). The texts are in the locale files.
 */
export const errorCatalogue = {
  invalid_credentials: { status: 401 },
  passwords_do_not_match: { status: 400 },
  invalid_new_password: { status: 400 },
  mfa_token_expired: { status: 401 },
  site_requires_mfa: { status: 401 },
  mfa_max_attempts_exceeded: { status: 401 },
  mfa_invalid_phone_number: { status: 400 },
  mfa_resend_failed: { status: 500 },
  session_migration_failure: { status: 400 },
  rate_limit_reached: { status: 429 },
  validation_failed: { status: 400 },
  unauthorized: { status: 401 },
  forbidden: { status: 403 },
  csrf_failed: { status: 403 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  /** The body did not arrive in time. */
  request_timeout: { status: 408 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  misdirected_request: { status: 421 },
  headers_too_large: { status: 431 },
  internal_error: { status: 500 },
  not_implemented: { status: 501 },
  /** A system on which this answer depends failed or sent an unusable response. */
  upstream_failed: { status: 502 },
  overloaded: { status: 503 },
  /** The recovery link is used, superseded or expired. The response does not reveal which. */
  recovery_link_invalid: { status: 400 },
} as const satisfies Record<string, { status: number }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** The error codes that a form handles. After a 401 with one of them, the front end stays on the page. */
export const formErrorCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'invalid_credentials',
  'passwords_do_not_match',
  'invalid_new_password',
  'mfa_token_expired',
  'site_requires_mfa',
  'mfa_max_attempts_exceeded',
  'mfa_invalid_phone_number',
  'session_migration_failure',
]);

/**
 * The body of a 4xx or 5xx response. `description` is untrusted and can contain HTML. With `invalid_new_password`, `policyLine` is the
 * password rule that the new password violates.
 */
export const errorBody = v.object({
  code: v.string(),
  description: maybe(v.string()),
  policyLine: maybe(v.string()),
});
