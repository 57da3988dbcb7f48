import type { Config } from './config/config.ts';
import { createCompanyOpenidProvider } from './company/openid/company-provider.ts';
import { createCompanySamlProvider } from './company/saml/saml-provider.ts';
import { createGetErrorMessage } from './error-records/error-records.ts';
import { createLastingCookie } from './http/cookies.ts';
import type { Implementation, CallHandler } from './http/routes.ts';
import { createPostMetrics } from './metrics/metrics.ts';
import type { OpenidProvider } from './provider/provider.ts';
import { rememberDeviceSeconds } from './factors/remembered-devices.ts';
import type { Services } from './services.ts';
import { createAuthenticate } from './sign-in/authenticate.ts';
import { createGetAuthContext, createGetRefreshContext } from './sign-in/context.ts';
import {
  createGetExternalRedirect,
  createGetSamlMetadata,
  createGetSamlSso,
} from './company/external-redirect.ts';
import { createGetPostLoginRedirect, createGetRetry } from './sign-in/finished-location.ts';
import {
  createSiteSettings,
  createUserSettings,
  isPasswordAskedFirst,
} from './company/home-realm-discovery.ts';
import { createKnownBrowsers } from './sign-in/known-browser.ts';
import { createGetSites, createGetSiteTodo } from './sign-in/own-sites.ts';
import { createPasswordPolicy, createPasswordReset } from './sign-in/password-reset.ts';
import { createRememberedAccounts } from './sign-in/remembered-accounts.ts';
import { createSelectSite } from './sign-in/select-site.ts';
import { createExternalRequestAllowance } from './sign-in/sign-in-services.ts';
import type { SignInServices } from './sign-in/sign-in-services.ts';
import { createGetLogoutContext, createSignOut } from './sign-out/sign-out.ts';
import { createResendMfaCode, createVerifyMfaCode } from './sign-in/verify-mfa-code.ts';
import { createGetSiteExistence } from './sites/resolve-site.ts';

/** Adds to the services what only the steps of a sign-in use. */
export function toSignInServices(base: Services & { provider: OpenidProvider }): SignInServices {
  return {
    ...base,
    knownBrowsers: createKnownBrowsers(base),
    devices: createLastingCookie(base.config.publicUrl, 'anteroom_device', rememberDeviceSeconds),
    rememberedAccounts: createRememberedAccounts(base),
    externalAllowance: createExternalRequestAllowance(base),
    companyProviders: {
      openid: createCompanyOpenidProvider({
        ...base,
        ...base.config.external,
        publicUrl: base.config.publicUrl,
      }),
      saml: createCompanySamlProvider({ ...base, publicUrl: base.config.publicUrl }),
    },
  };
}

/** Assigns each call of the contract to the feature that answers it. */
export function createCalls(services: SignInServices): Implementation {
  const siteSettings = createSiteSettings(services);
  const userSettings = createUserSettings(services);
  return {
    getAuthContext: createGetAuthContext(services),
    getRefreshContext: createGetRefreshContext(services),
    getLogoutContext: createGetLogoutContext(services),
    getSiteExistence: createGetSiteExistence(services, isPasswordAskedFirst),
    getSiteSettings: siteSettings.get,
    getUserSettings: userSettings.get,
    postSiteSettings: siteSettings.post,
    postUserSettings: userSettings.post,
    getExternalRedirect: createGetExternalRedirect(services),
    getSamlSso: createGetSamlSso(services),
    getSamlMetadata: createGetSamlMetadata(services),
    authenticate: createAuthenticate(services),
    verifyMfaCode: createVerifyMfaCode(services),
    resendMfaCode: createResendMfaCode(services),
    signOut: createSignOut(services),
    passwordReset: createPasswordReset(services),
    passwordPolicy: createPasswordPolicy(services),
    getSites: createGetSites(services),
    getSiteTodo: createGetSiteTodo(services),
    selectSite: createSelectSite(services),
    getRetry: createGetRetry(services),
    getPostLoginRedirect: createGetPostLoginRedirect(services),
    getErrorMessage: createGetErrorMessage(services),
    postMetrics: createPostMetrics(services),
    getConfig: createGetConfig(services),
  };
}

/** `GET /ui/config.json`: the settings of the installation for its front end. */
function createGetConfig({ config }: { config: Config }): CallHandler<'getConfig'> {
  const { sampleDestination, ...addresses } = config.frontEnd;
  const answer = { ...addresses, ...(sampleDestination && { sampleDestination }) };
  return () => Promise.resolve(answer);
}
