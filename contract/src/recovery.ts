import * as v from 'valibot';
import { defineCall } from './call.ts';
import type { CallAnswerOf, CallInputOf, ParsedAnswerOf } from './call.ts';
import { branding } from './calls/branding.ts';
import { loginFlowCustomizations } from './calls/context.ts';
import { passwordPolicyAnswer } from './calls/password.ts';
import { userNameMaximumLength } from './limits.ts';
import { maybe, returnUrl } from './schema.ts';

/** The application from which the visitor came (specification, point 7), for the link back. The service validates it. */
const referer = {
  refererClientId: v.optional(v.pipe(v.string(), v.maxLength(200))),
  refererRedirectUri: v.optional(returnUrl),
};

/** 256 bits in base64url have 43 characters; the limit leaves room for the tokens of another service. */
const token = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200));

/** The messages that a user can request while a link is valid. The page does not offer more. */
export const recoveryMessagesPerUser = 3;

/** RFC 5321, 4.5.3.1.3. */
export const emailMaximumLength = 254;

const getRecoveryContext = defineCall({
  method: 'GET',
  path: '/api/ui/recovery/context',
  repeatable: true,
  summary: 'The context of the recovery pages; sets the anti-forgery cookie that their other calls need',
  kind: 'json',
  query: v.strictObject(referer),
  answer: v.object({
    linkValidityInMinutes: v.number(),
    /** The address where the visitor can sign in again; absent if the application from which they came is unknown. */
    signInUrl: maybe(v.string()),
    /** The customizations of the application from which the visitor came. */
    loginFlowCustomizations: maybe(loginFlowCustomizations),
    branding: maybe(branding),
  }),
});

/** The response does not reveal whether a message is sent. The message is in the language of the request. */
const sendPasswordLink = defineCall({
  method: 'POST',
  path: '/api/ui/recovery/password-link',
  summary: 'Send a link for a new password to the user with this name',
  kind: 'empty',
  body: v.strictObject({
    ...referer,
    userName: v.pipe(v.string(), v.nonEmpty(), v.maxLength(userNameMaximumLength)),
  }),
});

/** The response does not reveal whether a message is sent. */
const sendSiteNames = defineCall({
  method: 'POST',
  path: '/api/ui/recovery/site-names',
  summary: 'Send the names of the sites to the user with this e-mail address',
  kind: 'empty',
  body: v.strictObject({
    ...referer,
    email: v.pipe(v.string(), v.nonEmpty(), v.maxLength(emailMaximumLength)),
  }),
});

/** The token is in the body, so that logs and the Referer header do not contain it. This call does not consume the token. */
const openPasswordLink = defineCall({
  method: 'POST',
  path: '/api/ui/recovery/open-password-link',
  summary: 'The user name that a link belongs to, and the rules for the new password',
  kind: 'json',
  body: v.strictObject({ token }),
  answer: v.object({ userName: v.string(), passwordPolicy: passwordPolicyAnswer }),
});

const setNewPassword = defineCall({
  method: 'POST',
  path: '/api/ui/recovery/new-password',
  summary: 'Set the new password and consume the token of the link. Does not sign the user in',
  kind: 'empty',
  body: v.strictObject({ token, newPassword: v.string(), newPasswordConfirmation: v.string() }),
  password: 'new',
});

/** The call of the "this was not me" link in an e-mail about a change. It locks the account. */
const refuseChange = defineCall({
  method: 'POST',
  path: '/api/ui/recovery/refuse-change',
  summary:
    'Report a change that the user did not make: ends every session, disables the password, and e-mails a recovery link',
  kind: 'empty',
  body: v.strictObject({ token }),
});

/**
 * The calls of the recovery pages, in addition to the 25 calls of the specification. They have their own entry point
 * (`@anteroom/contract/recovery`), so that a sign-in does not load them.
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
export type RecoveryCallInput<TName extends RecoveryCallName> = CallInputOf<(typeof recoveryCalls)[TName]>;
export type RecoveryCallAnswer<TName extends RecoveryCallName> = CallAnswerOf<(typeof recoveryCalls)[TName]>;
export type ParsedRecoveryAnswer<TName extends RecoveryCallName> = ParsedAnswerOf<
  (typeof recoveryCalls)[TName]
>;
