import * as v from 'valibot';
import { maybe } from './schema.ts';

/**
 * Every code that an answer may carry, with the status a service gives it (wire contract, "Errors"; specification, point 8).
 * A code is what the wire says; the words are in the locale files.
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
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  misdirected_request: { status: 421 },
  headers_too_large: { status: 431 },
  internal_error: { status: 500 },
  not_implemented: { status: 501 },
  /** Another system that was asked for this answer gave none that can be used. */
  upstream_failed: { status: 502 },
  overloaded: { status: 503 },
  /** The link of a recovery message is used up, replaced by a newer one, or too old; which of them, nobody is told. */
  recovery_link_invalid: { status: 400 },
} as const satisfies Record<string, { status: number }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** The codes that belong to a form: a 401 that carries one of them does not leave the page. */
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
 * The body of a 4xx or 5xx. `description` may be HTML and is untrusted. `policyLine` comes with `invalid_new_password`: the line of the
 * policy that the password does not meet.
 */
export const errorBody = v.object({
  code: v.string(),
  description: maybe(v.string()),
  policyLine: maybe(v.string()),
});
