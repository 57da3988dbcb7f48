import * as v from 'valibot';
import { defineCall } from './call.ts';
import type { CallAnswerOf, CallInputOf, ParsedAnswerOf } from './call.ts';
import { branding } from './calls/branding.ts';
import { offeredApp } from './authenticator-app.ts';
import { secondFactorNames } from './factors.ts';
import { passkeyNameMaximumLength } from './limits.ts';
import { attestation, creationOptions } from './passkeys.ts';
import { count, maybe } from './schema.ts';
import { oneTimeCode } from './codes.ts';

/** A date and time in ISO 8601, in UTC. */
const moment = v.string();

/** The application that the user came from. The service looks it up, so that the page can link back to it. */
const referer = { refererClientId: v.optional(v.pipe(v.string(), v.maxLength(200))) };

const accountSession = v.object({
  /** Identifies the session for `endAccountSession`. The id is not the session's cookie and gives no access. */
  id: v.string(),
  /** True for the session of this browser. */
  isPresent: v.boolean(),
  /** The common name of the browser, such as "Chrome (Windows)"; absent if unknown. */
  browser: maybe(v.string()),
  site: maybe(v.string()),
  signedInAt: moment,
  lastSeenAt: moment,
});

const getAccount = defineCall({
  method: 'GET',
  path: '/api/ui/account',
  summary:
    'The account of the signed-in user, for 10 minutes after a proof; after that `unauthorized` until `getAccountProof` has been followed',
  kind: 'json',
  repeatable: true,
  query: v.strictObject(referer),
  answer: v.object({
    /**
     * The company's identity provider authenticated the user, so the answer has only the profile, the sites that trust
     * the company, and the sessions through it. Everything else requires the user's own password and second factor.
     */
    isLimited: maybe(v.boolean()),
    /** With `isLimited`: whether the user has a password here (`getAccountProof` with the purpose `own-password`). */
    mayProveOwnPassword: maybe(v.boolean()),
    userName: v.string(),
    name: v.string(),
    email: maybe(v.string()),
    /** Display names of the sites that the user belongs to. */
    sites: v.array(v.string()),
    /** Absent: the user has no password here. */
    password: maybe(v.object({ changedAt: moment })),
    /** The oldest first; absent if the service does not support passkeys. */
    passkeys: maybe(
      v.array(v.object({ id: v.string(), name: v.string(), createdAt: moment, lastUsedAt: maybe(moment) })),
    ),
    /** Whether the session allows to add a passkey. */
    mayAddPasskey: maybe(v.boolean()),
    /** The companies whose identity providers sign the user in. */
    companies: v.array(v.object({ displayName: v.string(), lastUsedAt: moment })),
    /** The session of this browser first, then the others, the last used one first. */
    sessions: v.array(accountSession),
    /** The number of trusted computers, which need no code. */
    rememberedComputers: count,
    /** Absent: the user has no authenticator app. */
    authenticatorApp: maybe(v.object({ setUpAt: moment, recoveryCodesLeft: count })),
    /** The last digits of the phone number to which codes are sent. Absent: the user has no phone number. */
    phoneNumber: maybe(v.object({ suffix: v.string() })),
    /**
     * Whether the session allows to set up an authenticator app or a phone number; absent if the service does not offer
     * this.
     */
    mayAddCodeFactor: maybe(v.boolean()),
    /** The factors that cannot be removed, or of which one must remain, because a site of the user requires them. */
    neededFactors: maybe(v.array(v.picklist(secondFactorNames))),
    /** Whether the service supports `getAccountActivity` and `getAccountData`. */
    hasActivity: maybe(v.boolean()),
    /** The start page of the application that the user came from. */
    backUri: maybe(v.string()),
    branding: maybe(branding),
  }),
});

/**
 * A navigation that makes the user sign in again. It redirects back to the page, with the application that the user
 * came from as `state`.
 */
const getAccountProof = defineCall({
  method: 'GET',
  path: '/api/ui/account/proof',
  summary:
    'Begin a sign-in that proves the user again, changes the password, or adds the own password to a session of a company, and leads back to the page',
  kind: 'redirect',
  query: v.strictObject({
    ...referer,
    purpose: v.picklist(['confirm', 'change-password', 'own-password']),
    language: v.optional(v.pipe(v.string(), v.maxLength(10))),
  }),
});

const beginAccountPasskey = defineCall({
  method: 'POST',
  path: '/api/ui/account/passkey-options',
  summary: 'What the user creates a passkey with; `unauthorized` without a second factor in the proof',
  kind: 'json',
  body: v.strictObject({}),
  answer: v.object({ options: creationOptions }),
});

const addAccountPasskey = defineCall({
  method: 'POST',
  path: '/api/ui/account/add-passkey',
  summary: 'Keep the passkey that the browser has created, and tell the user by mail',
  kind: 'json',
  body: v.strictObject({ credential: attestation }),
  answer: v.object({ name: v.pipe(v.string(), v.maxLength(passkeyNameMaximumLength)) }),
});

const passkeyId = v.pipe(v.string(), v.regex(/^[\w-]{1,2048}$/));

const renameAccountPasskey = defineCall({
  method: 'POST',
  path: '/api/ui/account/rename-passkey',
  summary: 'Give a passkey of the user another name',
  kind: 'empty',
  body: v.strictObject({
    id: passkeyId,
    name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(passkeyNameMaximumLength)),
  }),
});

const removeAccountPasskey = defineCall({
  method: 'POST',
  path: '/api/ui/account/remove-passkey',
  summary:
    'Remove a passkey of the user with everything that is open but the present session, and tell the user by mail; `site_requires_mfa` for the last factor of a user whose site asks for one',
  kind: 'empty',
  body: v.strictObject({ id: passkeyId }),
});

const endAccountSession = defineCall({
  method: 'POST',
  path: '/api/ui/account/end-session',
  summary: 'End another session of the user, with what applications hold through it',
  kind: 'empty',
  body: v.strictObject({ id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)) }),
});

const endOtherSessions = defineCall({
  method: 'POST',
  path: '/api/ui/account/end-other-sessions',
  summary: 'End every session of the user but the present one, and all that applications hold',
  kind: 'empty',
  body: v.strictObject({}),
});

const forgetComputers = defineCall({
  method: 'POST',
  path: '/api/ui/account/forget-computers',
  summary: 'Ask for a code again on every computer that was remembered',
  kind: 'empty',
  body: v.strictObject({}),
});

const offerAuthenticatorApp = defineCall({
  method: 'POST',
  path: '/api/ui/account/authenticator-app/offer',
  summary:
    'What the user sets an authenticator app up with, or replaces the present one by; nothing is stored',
  kind: 'json',
  body: v.strictObject(referer),
  answer: offeredApp,
});

const setUpAuthenticatorApp = defineCall({
  method: 'POST',
  path: '/api/ui/account/authenticator-app/set-up',
  summary:
    'Store the offered app by its first right code, and end everything else that is open; `invalid_credentials` for a wrong one',
  kind: 'empty',
  body: v.strictObject({ code: oneTimeCode }),
});

const removeAuthenticatorApp = defineCall({
  method: 'POST',
  path: '/api/ui/account/authenticator-app/remove',
  summary:
    'Remove the app with its recovery codes, and end everything else that is open; `site_requires_mfa` for the last second factor that a site of the user asks for',
  kind: 'empty',
  body: v.strictObject({}),
});

const makeRecoveryCodes = defineCall({
  method: 'POST',
  path: '/api/ui/account/recovery-codes',
  summary: 'Make new recovery codes in the place of those that are left',
  kind: 'json',
  body: v.strictObject({}),
  answer: v.pick(offeredApp, ['recoveryCodes']),
});

/** The phone number as the user types it: with country code, and possibly spaces, hyphens, dots, slashes and brackets. */
const phoneNumber = v.pipe(v.string(), v.maxLength(60));

const sendPhoneNumberCode = defineCall({
  method: 'POST',
  path: '/api/ui/account/phone-number/send-code',
  summary:
    'Send a code to the number that the user wants to use, under the limits of sign-in codes; `mfa_invalid_phone_number` for what no message can be sent to',
  kind: 'json',
  body: v.strictObject({ ...referer, phoneNumber }),
  answer: v.object({
    /** The last digits of the phone number, which the page shows. */
    suffix: v.string(),
    codeValidityInMinutes: count,
    nextCodeInSeconds: count,
  }),
});

const setPhoneNumber = defineCall({
  method: 'POST',
  path: '/api/ui/account/phone-number/set',
  summary:
    'Store the number by the code that was sent to it, and end everything else that is open; `invalid_credentials` for a wrong code',
  kind: 'empty',
  body: v.strictObject({ ...referer, phoneNumber, code: oneTimeCode }),
});

const removePhoneNumber = defineCall({
  method: 'POST',
  path: '/api/ui/account/phone-number/remove',
  summary:
    'Remove the number, and end everything else that is open; `site_requires_mfa` for the last second factor that a site of the user asks for',
  kind: 'empty',
  body: v.strictObject(referer),
});

/** The kinds of events in the list of recent activity. A page omits kinds that it does not know. */
export const activityKinds = [
  'signed-in',
  'signed-out',
  'wrong-password',
  'wrong-code',
  'password-changed',
  'password-link',
  'change-refused',
  'app-set-up',
  'app-removed',
  'recovery-codes-made',
  'passkey-created',
  'passkey-removed',
  'phone-number-set',
  'phone-number-removed',
  'computers-forgotten',
  'changed-by-operator',
] as const;

const getAccountActivity = defineCall({
  method: 'GET',
  path: '/api/ui/account/activity',
  summary: 'What happened with the account in the last 30 days, the latest first, at most 100 entries',
  kind: 'json',
  answer: v.object({
    events: v.array(
      v.object({
        at: moment,
        /** The kind of the event, one of `activityKinds`. */
        kind: v.string(),
        /** The display name of the site. */
        site: maybe(v.string()),
        browser: maybe(v.string()),
      }),
    ),
  }),
});

const getAccountData = defineCall({
  method: 'GET',
  path: '/api/ui/account/data',
  summary: 'What the service stores about the user, without hashes and secrets (GDPR, article 15)',
  kind: 'json',
  answer: v.looseObject({}),
});

/**
 * The calls of the extension `account`, in addition to the 25 of the specification. They have their own entry point
 * (`@anteroom/contract/account`), so that a sign-in does not load them. All except `getAccountProof` fail with
 * `unauthorized` unless the user has signed in within the last 10 minutes.
 */
export const accountCalls = {
  getAccount,
  getAccountProof,
  beginAccountPasskey,
  addAccountPasskey,
  renameAccountPasskey,
  removeAccountPasskey,
  endAccountSession,
  endOtherSessions,
  forgetComputers,
  offerAuthenticatorApp,
  setUpAuthenticatorApp,
  removeAuthenticatorApp,
  makeRecoveryCodes,
  sendPhoneNumberCode,
  setPhoneNumber,
  removePhoneNumber,
  getAccountActivity,
  getAccountData,
} as const;

export type AccountCallName = keyof typeof accountCalls;
/** The input of a handler. */
export type AccountCallInput<TName extends AccountCallName> = CallInputOf<(typeof accountCalls)[TName]>;
/** The return value of a handler. */
export type AccountCallAnswer<TName extends AccountCallName> = CallAnswerOf<(typeof accountCalls)[TName]>;
/** The answer as a caller gets it after parsing. */
export type ParsedAccountAnswer<TName extends AccountCallName> = ParsedAnswerOf<(typeof accountCalls)[TName]>;
