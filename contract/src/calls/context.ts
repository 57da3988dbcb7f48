import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { secondFactors } from '../factors.ts';
import { siteNameMaximumLength } from '../limits.ts';
import { caseless, maybe, returnUrl } from '../schema.ts';
import { branding } from './branding.ts';
import { passwordPolicyAnswer } from './password.ts';

export const promptMethods = ['elevate', 'switch_site', 'change_password', 'switch_tenant'] as const;
/** The statuses of an answer after which a page that was left can continue. */
export const awaitedSteps = ['second_factor_required', 'password_reset_required'] as const;
export const sessionStates = ['none', 'expired', 'valid'] as const;

export const loginFlowCustomizations = v.object({
  languageSelectionAndLinksDisabled: maybe(v.boolean()),
  publicComputerSignInDisabled: maybe(v.boolean()),
  signInCredentialsRecoveryDisabled: maybe(v.boolean()),
  nestedUIEliminated: maybe(v.boolean()),
});

/** An account that has signed in with this browser before (docs/extensions.md). */
export const rememberedAccount = v.object({
  /** Names the account in `forgetAccount`. */
  id: v.string(),
  /** The user's name. */
  name: v.string(),
  userName: v.string(),
  site: v.string(),
  siteDisplayName: v.string(),
  siteLogoPath: maybe(v.string()),
});

/** The data with which the front end starts or continues a sign-in (specification, point 3). */
export const authContext = v.object({
  defaultSite: maybe(v.string()),
  /** The organisation of `defaultSite`, unless the site hides it from visitors who have not signed in. */
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
  /** Set when the sign-in needs no input from the visitor: the page navigates here and renders nothing. */
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
  /** False: the service has not sent a code for this sign-in yet. */
  codeSent: maybe(v.boolean()),
  /** Seconds until the visitor can request the code again. */
  nextCodeInSeconds: maybe(v.number()),
  secondFactors,
  /** The step that this sign-in still needs before its session begins; the members above describe a second factor. */
  awaitedStep: maybe(caseless(awaitedSteps)),
  /** The extensions that the service offers (docs/extensions.md). */
  extensions: maybe(v.array(v.string())),
  /** The accounts that the page offers before anything else, the latest first. */
  rememberedAccounts: maybe(v.array(rememberedAccount)),
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
  summary: 'The context of a started sign-in',
  kind: 'json',
  query: v.strictObject({
    returnUrl: v.optional(returnUrl),
    site: v.optional(v.pipe(v.string(), v.maxLength(siteNameMaximumLength))),
  }),
  answer: authContext,
  repeatable: true,
  ownOrigin: true,
});

export const getRefreshContext = defineCall({
  method: 'GET',
  path: '/api/ui/refresh-context',
  summary: 'The same context after a step has changed it, for the sign-in that this browser advanced last',
  kind: 'json',
  query: v.strictObject({}),
  answer: authContext,
  repeatable: true,
});

export const getLogoutContext = defineCall({
  method: 'GET',
  path: '/api/ui/logout-context',
  summary: 'The context of a sign-out: confirmation, cancel button, sign-out frame and return address',
  kind: 'json',
  query: v.strictObject({ logoutId: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  answer: v.object({
    postLogoutRedirectUri: maybe(v.string()),
    requiresConfirmation: v.boolean(),
    showCancelButton: v.boolean(),
    signOutIFrameUrl: maybe(v.string()),
    /** The branding of the application from which the user signs out. */
    branding: maybe(branding),
  }),
  repeatable: true,
  ownOrigin: true,
});
