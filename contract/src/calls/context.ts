import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { siteNameMaximumLength } from '../limits.ts';
import { caseless, maybe, returnUrl } from '../schema.ts';
import { branding } from './branding.ts';
import { passwordPolicyAnswer } from './password.ts';

export const promptMethods = ['elevate', 'switch_site', 'change_password', 'switch_tenant'] as const;
export const sessionStates = ['none', 'expired', 'valid'] as const;

export const loginFlowCustomizations = v.object({
  languageSelectionAndLinksDisabled: maybe(v.boolean()),
  publicComputerSignInDisabled: maybe(v.boolean()),
  signInCredentialsRecoveryDisabled: maybe(v.boolean()),
  nestedUIEliminated: maybe(v.boolean()),
});

/** What the front end must know to begin or go on with a sign-in (specification, point 3). */
export const authContext = v.object({
  defaultSite: maybe(v.string()),
  /** The organisation of `defaultSite`, where the site does not hide it from visitors who have not signed in. */
  defaultSiteDisplayName: maybe(v.string()),
  defaultSiteLogoPath: maybe(v.string()),
  selectSite: v.boolean(),
  userName: maybe(v.string()),
  promptMethod: maybe(caseless(promptMethods)),
  identityServiceUrl: maybe(v.string()),
  forgotPasswordUrl: maybe(v.string()),
  siteRecoveryClientUri: maybe(v.string()),
  allowDefaultSiteEntry: v.boolean(),
  allowUserNameEntry: v.boolean(),
  allowPasswordEntry: v.boolean(),
  /** This sign-in needs nothing more of the visitor: the page leaves to this address and shows nothing else. */
  finishedLocation: maybe(v.string()),
  cancelRedirectUri: maybe(v.string()),
  originalClientUri: maybe(v.string()),
  mfaCodeValidityInMinutes: maybe(v.number()),
  reauthRequested: v.boolean(),
  loginHint: maybe(v.string()),
  clientId: maybe(v.string()),
  returnUrl: maybe(v.string()),
  passwordPolicy: maybe(passwordPolicyAnswer),
  mfaAdaptivePolicyEnabled: maybe(v.boolean()),
  mfaPhoneNumberSuffix: maybe(v.string()),
  /** False: no message has left for this sign-in yet. */
  codeSent: maybe(v.boolean()),
  /** The code may be asked for again after so many seconds. */
  nextCodeInSeconds: maybe(v.number()),
  /** What the service offers beyond this contract (docs/extensions.md). */
  extensions: maybe(v.array(v.string())),
  loginFlowCustomizations: maybe(loginFlowCustomizations),
  branding: maybe(branding),
  session: v.object({
    state: caseless(sessionStates),
    authSite: maybe(v.string()),
    isExternallyAuthenticated: v.boolean(),
  }),
});

export const getAuthContext = defineCall({
  method: 'GET',
  path: '/api/ui/auth-context',
  summary: 'The context of a sign-in that has been started',
  kind: 'json',
  query: v.strictObject({
    returnUrl: v.optional(returnUrl),
    site: v.optional(v.pipe(v.string(), v.maxLength(siteNameMaximumLength))),
  }),
  answer: authContext,
});

export const getRefreshContext = defineCall({
  method: 'GET',
  path: '/api/ui/refresh-context',
  summary: 'The same context after a step has changed it: of the sign-in that this browser advanced last',
  kind: 'json',
  query: v.strictObject({}),
  answer: authContext,
});

export const getLogoutContext = defineCall({
  method: 'GET',
  path: '/api/ui/logout-context',
  summary: 'What a sign-out needs: confirmation, cancel, the frame, and where it leads',
  kind: 'json',
  query: v.strictObject({ logoutId: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  answer: v.object({
    postLogoutRedirectUri: maybe(v.string()),
    requiresConfirmation: v.boolean(),
    showCancelButton: v.boolean(),
    signOutIFrameUrl: maybe(v.string()),
    /** Of the application that the person signs out of. */
    branding: maybe(branding),
  }),
});
