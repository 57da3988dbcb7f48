import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { secondFactors } from '../factors.ts';
import { siteNameMaximumLength, userNameMaximumLength } from '../limits.ts';
import { caseless, maybe, returnUrl } from '../schema.ts';

export const authStatuses = [
  'redirect',
  'second_factor_required',
  'password_reset_required',
  'select_site_required',
  'password_required',
  'credentials_required',
] as const;
export type AuthStatus = (typeof authStatuses)[number];

/** The answer to every step of a sign-in: what must happen next (specification, point 4). */
export const authResponse = v.object({
  status: caseless(authStatuses),
  /** Present only with the status 'redirect'. */
  location: maybe(v.string()),
  /** True with 'redirect': the session is valid now, so that the page goes to the location at once. */
  sessionValid: maybe(v.boolean()),
  /** The base address of the calls that follow. */
  authSiteIdentityBaseUri: maybe(v.string()),
  mfaAdaptivePolicyEnabled: maybe(v.boolean()),
  mfaPhoneNumberSuffix: maybe(v.string()),
  mfaCodeValidityInMinutes: maybe(v.number()),
  /** False: the service has not sent a code for this sign-in yet. */
  codeSent: maybe(v.boolean()),
  /** Seconds until the visitor can request the code again. */
  nextCodeInSeconds: maybe(v.number()),
  secondFactors,
});

const siteName = v.pipe(v.string(), v.maxLength(siteNameMaximumLength));
const userName = v.pipe(v.string(), v.maxLength(userNameMaximumLength));

const siteSettings = v.object({ allowPasswordEntry: v.boolean() });
const siteSettingsRequest = v.strictObject({ returnUrl: v.optional(returnUrl), site: siteName });
const userSettings = v.object({ shouldRedirectToExternalAuth: v.boolean() });
const userSettingsRequest = v.strictObject({
  returnUrl: v.optional(returnUrl),
  usernameOrEmail: userName,
  site: v.optional(siteName),
});

export const getSiteSettings = defineCall({
  method: 'GET',
  path: '/api/ui/auth/settings/site',
  summary: 'How users sign in at a site',
  kind: 'json',
  query: siteSettingsRequest,
  answer: siteSettings,
  repeatable: true,
});

export const postSiteSettings = defineCall({
  method: 'POST',
  path: '/api/auth/settings/site',
  summary: 'How users sign in at a site, with the site in the body',
  kind: 'json',
  body: siteSettingsRequest,
  answer: siteSettings,
});

export const getUserSettings = defineCall({
  method: 'GET',
  path: '/api/ui/auth/settings/user',
  summary: 'Whether a user signs in at an external provider',
  kind: 'json',
  query: userSettingsRequest,
  answer: userSettings,
  repeatable: true,
});

export const postUserSettings = defineCall({
  method: 'POST',
  path: '/api/auth/settings/user',
  summary: 'Whether a user signs in at an external provider, with the name in the body',
  kind: 'json',
  body: userSettingsRequest,
  answer: userSettings,
});

export const authenticate = defineCall({
  method: 'POST',
  path: '/api/ui/authenticate',
  summary: 'Sign in with a password',
  kind: 'json',
  body: v.strictObject({
    returnUrl: v.optional(returnUrl),
    password: v.string(),
    authSite: v.optional(siteName),
    site: v.optional(siteName),
    userName: v.optional(userName),
  }),
  answer: authResponse,
  password: 'checked',
});

export const getExternalRedirect = defineCall({
  method: 'GET',
  path: '/api/ui/auth/external/redirect',
  summary: "Redirect to a site's external provider; with Accept: text/plain, only return its address",
  kind: 'redirect',
  query: v.strictObject({
    site: siteName,
    returnUrl: v.optional(returnUrl),
    forceAuthentication: v.optional(v.picklist(['true', 'false'])),
  }),
});

export const getSamlSso = defineCall({
  method: 'GET',
  path: '/saml/sp-initiated-sso',
  summary: 'Begin a SAML sign-in at the identity provider of a site',
  kind: 'redirect',
  query: v.strictObject({
    site: v.optional(siteName),
    returnUrl: v.optional(returnUrl),
    forceAuthentication: v.optional(v.picklist(['true', 'false'])),
  }),
});

export const getSamlMetadata = defineCall({
  method: 'GET',
  path: '/saml/metadata/:sitename',
  summary: 'The SAML service provider metadata of a site',
  kind: 'xml',
  params: v.strictObject({ sitename: v.pipe(v.string(), v.nonEmpty(), v.maxLength(siteNameMaximumLength)) }),
});

export const getRetry = defineCall({
  method: 'GET',
  path: '/api/ui/auth/retry',
  summary: 'Whether the page should navigate to the location again',
  kind: 'json',
  answer: v.object({ retry: v.boolean() }),
  background: true,
});

export const getPostLoginRedirect = defineCall({
  method: 'GET',
  path: '/api/ui/auth/post-login-redirect',
  summary: 'The location after a finished sign-in',
  kind: 'json',
  query: v.strictObject({ returnUrl: v.optional(returnUrl) }),
  answer: v.object({ location: v.string() }),
});

export const signOut = defineCall({
  method: 'POST',
  path: '/api/ui/auth/sign-out',
  summary: 'End the session',
  kind: 'empty',
  body: v.optional(v.strictObject({})),
});
