import * as v from 'valibot';
import { defineCall } from './call.ts';
import type { CallAnswerOf, CallInputOf, ParsedAnswerOf } from './call.ts';
import { branding } from './calls/branding.ts';
import { loginFlowCustomizations } from './calls/context.ts';
import { passwordPolicyAnswer } from './calls/password.ts';
import { userNameMaximumLength } from './limits.ts';
import { maybe, returnUrl } from './schema.ts';

/** The application that somebody came from (specification, point 7), so that they find their way back: checked by the service. */
const referer = {
  refererClientId: v.optional(v.pipe(v.string(), v.maxLength(200))),
  refererRedirectUri: v.optional(returnUrl),
};

/** 256 bits as base64url are 43 characters; the bound leaves room for another service's tokens. */
const token = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200));

/** RFC 5321, 4.5.3.1.3: no address is longer. */
export const emailMaximumLength = 254;

const getRecoveryContext = defineCall({
  method: 'GET',
  path: '/api/ui/recovery/context',
  summary: 'What the recovery pages begin with; sets the anti-forgery cookie that their other calls need',
  kind: 'json',
  query: v.strictObject(referer),
  answer: v.object({
    linkValidityInMinutes: v.number(),
    /** Where the visitor signs in again; absent when it is not known which application they came from. */
    signInUrl: maybe(v.string()),
    /** Of the application that they came from. */
    loginFlowCustomizations: maybe(loginFlowCustomizations),
    branding: maybe(branding),
  }),
});

/** Answers the same for everybody: whether a message is sent, only its receiver learns. It is written in the language of the call. */
const sendPasswordLink = defineCall({
  method: 'POST',
  path: '/api/ui/recovery/password-link',
  summary: 'Send a link for a new password to whoever has this name',
  kind: 'empty',
  body: v.strictObject({
    ...referer,
    userName: v.pipe(v.string(), v.nonEmpty(), v.maxLength(userNameMaximumLength)),
  }),
});

/** Answers the same for everybody, like the link. */
const sendSiteNames = defineCall({
  method: 'POST',
  path: '/api/ui/recovery/site-names',
  summary: 'Send the names of their sites to whoever has this e-mail',
  kind: 'empty',
  body: v.strictObject({
    ...referer,
    email: v.pipe(v.string(), v.nonEmpty(), v.maxLength(emailMaximumLength)),
  }),
});

/** The token travels in a body, so that no log and no Referer has it; asking does not use it up. */
const openPasswordLink = defineCall({
  method: 'POST',
  path: '/api/ui/recovery/open-password-link',
  summary: 'Whose password a link is for, and the rules of the new one',
  kind: 'json',
  body: v.strictObject({ token }),
  answer: v.object({ userName: v.string(), passwordPolicy: passwordPolicyAnswer }),
});

const setNewPassword = defineCall({
  method: 'POST',
  path: '/api/ui/recovery/new-password',
  summary: 'Set the new password with the token of a link, which is used up; nobody is signed in by it',
  kind: 'empty',
  body: v.strictObject({ token, newPassword: v.string(), newPasswordConfirmation: v.string() }),
});

/** The link of a mail about a change opens nothing: it closes the account, and a recovery link is mailed. */
const refuseChange = defineCall({
  method: 'POST',
  path: '/api/ui/recovery/refuse-change',
  summary:
    'End every session of an account whose user did not make a change, make its password useless, and mail a recovery link',
  kind: 'empty',
  body: v.strictObject({ token }),
});

/**
 * Calls of our own identity service beside the 25 of the specification: of the pages that its recovery links lead to. They are a way
 * in of their own (`@anteroom/contract/recovery`), so that a sign-in does not carry them.
 */
export const recoveryCalls = {
  getRecoveryContext,
  sendPasswordLink,
  sendSiteNames,
  openPasswordLink,
  setNewPassword,
  refuseChange,
} as const;

export type RecoveryCallName = keyof typeof recoveryCalls;
/** What a handler receives. */
export type RecoveryCallInput<TName extends RecoveryCallName> = CallInputOf<(typeof recoveryCalls)[TName]>;
/** What a service answers. */
export type RecoveryCallAnswer<TName extends RecoveryCallName> = CallAnswerOf<(typeof recoveryCalls)[TName]>;
/** What a caller has after parsing. */
export type ParsedRecoveryAnswer<TName extends RecoveryCallName> = ParsedAnswerOf<
  (typeof recoveryCalls)[TName]
>;
