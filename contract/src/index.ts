import type { CallAnswerOf, CallInputOf, ParsedAnswerOf } from './call.ts';
import * as authenticate from './calls/authenticate.ts';
import * as context from './calls/context.ts';
import * as error from './calls/error.ts';
import * as metrics from './calls/metrics.ts';
import * as password from './calls/password.ts';
import * as secondFactor from './calls/second-factor.ts';
import * as sites from './calls/sites.ts';

/** The 25 calls of the specification (point 7) by the name that both sides use. */
export const calls = {
  getAuthContext: context.getAuthContext,
  getRefreshContext: context.getRefreshContext,
  getLogoutContext: context.getLogoutContext,
  getSiteExistence: sites.getSiteExistence,
  getSiteSettings: authenticate.getSiteSettings,
  getUserSettings: authenticate.getUserSettings,
  postSiteSettings: authenticate.postSiteSettings,
  postUserSettings: authenticate.postUserSettings,
  getExternalRedirect: authenticate.getExternalRedirect,
  getSamlSso: authenticate.getSamlSso,
  getSamlMetadata: authenticate.getSamlMetadata,
  authenticate: authenticate.authenticate,
  verifyMfaCode: secondFactor.verifyMfaCode,
  resendMfaCode: secondFactor.resendMfaCode,
  signOut: authenticate.signOut,
  passwordReset: password.passwordReset,
  passwordPolicy: password.passwordPolicy,
  getSites: sites.getSites,
  getSiteTodo: sites.getSiteTodo,
  selectSite: sites.selectSite,
  getRetry: authenticate.getRetry,
  getPostLoginRedirect: authenticate.getPostLoginRedirect,
  getErrorMessage: error.getErrorMessage,
  postMetrics: metrics.postMetrics,
  getConfig: metrics.getConfig,
} as const;

export type CallName = keyof typeof calls;
/** The input of a handler. */
export type CallInput<TName extends CallName> = CallInputOf<(typeof calls)[TName]>;
/** The return value of a handler. */
export type CallAnswer<TName extends CallName> = CallAnswerOf<(typeof calls)[TName]>;
/** The answer as a caller gets it after parsing. */
export type ParsedAnswer<TName extends CallName> = ParsedAnswerOf<(typeof calls)[TName]>;

export type AuthContext = ParsedAnswer<'getAuthContext'>;
export type LogoutContext = ParsedAnswer<'getLogoutContext'>;
export type AuthResponse = ParsedAnswer<'authenticate'>;
export type ErrorRecord = ParsedAnswer<'getErrorMessage'>;
export type Config = ParsedAnswer<'getConfig'>;
export type PromptMethod = (typeof context.promptMethods)[number];
export type SessionState = (typeof context.sessionStates)[number];

export type { Call, CallAnswerOf, CallInputOf, ParsedAnswerOf } from './call.ts';
export type { AuthStatus } from './calls/authenticate.ts';
export { awaitedSteps } from './calls/context.ts';
export { branding } from './calls/branding.ts';
export type { Branding } from './calls/branding.ts';
export type { FrontEndMetric, Metric } from './calls/metrics.ts';
export { frontEndMetrics, metricDataMaximumCount } from './calls/metrics.ts';
export type { PasswordPolicy, PolicyLine } from './calls/password.ts';
export type { BookVersion, Site } from './calls/sites.ts';
export { extensions } from './extensions.ts';
export type { Extension } from './extensions.ts';
export { errorBody, errorCatalogue, formErrorCodes } from './errors.ts';
export type { ErrorCode } from './errors.ts';
export * from './languages.ts';
export * from './limits.ts';
