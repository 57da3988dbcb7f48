import * as v from 'valibot';
import { defineCall } from './call.ts';
import type { CallAnswerOf, CallInputOf } from './call.ts';
import { maybe, returnUrl } from './schema.ts';

/** What a user sets an app up with. */
export const offeredApp = v.object({
  /** The shared secret in base 32, for users who type it. */
  secret: v.string(),
  /** The same as an `otpauth:` address, for a QR code. */
  uri: v.string(),
  /** Each is good for one sign-in without the app; they are not shown again. */
  recoveryCodes: v.array(v.string()),
});

const describeAuthenticatorApp = defineCall({
  method: 'POST',
  path: '/api/ui/authenticator-app',
  summary:
    'Whether the code of a sign-in comes from the app that the user has, or what the user sets an app up with',
  kind: 'json',
  body: v.strictObject({ returnUrl: v.optional(returnUrl) }),
  answer: v.object({
    /** The end of the phone number that `resendMfaCode` sends a code to, for users who do not have their app at hand. */
    mfaPhoneNumberSuffix: maybe(v.string()),
    /** Absent: the user has an app. */
    enrolment: maybe(offeredApp),
  }),
});

/**
 * The call of the extension `totp`, beside the 25 of the specification, with a way in of its own (`@anteroom/contract/authenticator-app`), so that
 * a sign-in does not carry it. The code itself is checked by `verifyMfaCode`, which sets the app up too.
 */
export const authenticatorAppCalls = { describeAuthenticatorApp } as const;

export type AuthenticatorAppCallName = keyof typeof authenticatorAppCalls;
/** What a handler receives. */
export type AuthenticatorAppCallInput<TName extends AuthenticatorAppCallName> = CallInputOf<
  (typeof authenticatorAppCalls)[TName]
>;
/** What a service answers. */
export type AuthenticatorAppCallAnswer<TName extends AuthenticatorAppCallName> = CallAnswerOf<
  (typeof authenticatorAppCalls)[TName]
>;
