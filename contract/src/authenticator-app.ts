import * as v from 'valibot';
import { defineCall } from './call.ts';
import type { CallInputOf } from './call.ts';
import { maybe, returnUrl } from './schema.ts';

/** The data with which a user sets up an authenticator app. */
export const offeredApp = v.object({
  /** The shared secret in base 32, for users who type it. */
  secret: v.string(),
  /** The secret as an `otpauth:` URI, for a QR code. */
  uri: v.string(),
  /** Each code is valid for one sign-in without the app. The codes are not shown again. */
  recoveryCodes: v.array(v.string()),
});

export type OfferedApp = v.InferOutput<typeof offeredApp>;

const describeAuthenticatorApp = defineCall({
  method: 'POST',
  path: '/api/ui/authenticator-app',
  summary: 'Whether the user already has an authenticator app; if not, the data to set one up',
  kind: 'json',
  body: v.strictObject({ returnUrl: v.optional(returnUrl) }),
  answer: v.object({
    /** The last digits of the phone number to which `resendMfaCode` sends a code, for users without their app at hand. */
    mfaPhoneNumberSuffix: maybe(v.string()),
    /** Absent: the user has an app. */
    enrolment: maybe(offeredApp),
  }),
});

/**
 * The call of the extension `totp`, in addition to the 25 calls of the specification. It has its own entry point
 * (`@anteroom/contract/authenticator-app`), so that a sign-in does not load it. `verifyMfaCode` checks the code and completes the set-up.
 */
export const authenticatorAppCalls = { describeAuthenticatorApp } as const;

export type AuthenticatorAppCallInput<TName extends keyof typeof authenticatorAppCalls> = CallInputOf<
  (typeof authenticatorAppCalls)[TName]
>;
