import type { CallAnswer } from '@anteroom/contract';
import type { AccountCallAnswer } from '@anteroom/contract/account';
import type { RecoveryCallAnswer } from '@anteroom/contract/recovery';
import type { Script } from './script.ts';

type Context = CallAnswer<'getAuthContext'>;

/** Addresses that the scripted answers may name. */
export interface Places {
  /** The service's own address. */
  service: string;
  /** An application that a sign-in comes from and goes back to; every path answers with a plain page. */
  application: string;
}

/** A sign-in at a known site by somebody who is not signed in, as a change to it where one is given. */
export function contextAt(places: Places, more: Partial<Context> = {}): Context {
  return {
    identityServiceUrl: places.service,
    defaultSite: 'northwind',
    selectSite: false,
    allowDefaultSiteEntry: true,
    allowUserNameEntry: true,
    allowPasswordEntry: true,
    reauthRequested: false,
    clientId: 'director',
    cancelRedirectUri: `${places.application}/cancelled`,
    forgotPasswordUrl: `${places.application}/forgot-password`,
    siteRecoveryClientUri: `${places.application}/forgot-site`,
    mfaCodeValidityInMinutes: 10,
    session: { state: 'none', isExternallyAuthenticated: false },
    ...more,
  };
}

/** The sign-out of a visitor who is signed in, asked for by an application that it leads back to. */
export function logoutContextAt({ application }: Places): CallAnswer<'getLogoutContext'> {
  return {
    requiresConfirmation: true,
    showCancelButton: true,
    postLogoutRedirectUri: `${application}/signed-out`,
    signOutIFrameUrl: `${application}/sign-out-frame`,
  };
}

/**
 * The same call as the real service answers it (`verify/` holds both to the same rules): the application's address belongs to a logout id, without one the sign-in of this browser names its start page, and after the sign-out there
 * is nothing to confirm, nothing to cancel, no frame, and no sign-in that could name a page.
 */
function playSignOut(script: Script, places: Places): void {
  let isSignedIn = true;
  script.answer('getLogoutContext', ({ query: { logoutId } }) => {
    const { postLogoutRedirectUri: asked, ...signedIn } = logoutContextAt(places);
    const postLogoutRedirectUri = logoutId ? asked : isSignedIn ? `${places.application}/home` : undefined;
    return isSignedIn
      ? { ...signedIn, postLogoutRedirectUri }
      : { requiresConfirmation: false, showCancelButton: false, postLogoutRedirectUri };
  });
  script.answer('signOut', () => void (isSignedIn = false));
}

/** A visit to the recovery pages from an application that it leads back to. */
export function recoveryContextAt({ application }: Places): RecoveryCallAnswer<'getRecoveryContext'> {
  return { linkValidityInMinutes: 30, signInUrl: `${application}/sign-in` };
}

/** The account of a user who is signed in with two browsers. */
export function accountAt({ application }: Places): AccountCallAnswer<'getAccount'> {
  const signedIn = { site: 'Northwind Group', signedInAt: '2026-11-20T08:05:00Z' };
  return {
    userName: 'dana@northwind.example',
    name: 'Dana Rivers',
    email: 'dana@northwind.example',
    sites: ['Northwind Group', 'Harbor Trust', 'Summit Foundation'],
    password: { changedAt: '2026-03-02T10:00:00Z' },
    passkeys: [
      {
        id: 'p',
        name: 'iCloud Keychain',
        createdAt: '2026-06-01T09:00:00Z',
        lastUsedAt: '2026-11-19T07:45:00Z',
      },
    ],
    mayAddPasskey: true,
    companies: [],
    sessions: [
      {
        ...signedIn,
        id: 'a',
        isPresent: true,
        browser: 'Chrome (Windows)',
        lastSeenAt: '2026-11-20T09:30:00Z',
      },
      {
        ...signedIn,
        id: 'b',
        isPresent: false,
        browser: 'Safari (iPad)',
        lastSeenAt: '2026-11-20T09:10:00Z',
      },
    ],
    rememberedComputers: 1,
    backUri: `${application}/home`,
  };
}

function playAccount(script: Script, places: Places): void {
  const { application } = places;
  script.answer('getAccount', accountAt(places));
  script.answer('getAccountProof', { location: `${application}/proof` });
  script.answer('beginAccountPasskey', {
    options: {
      challenge: 'YQ',
      rp: { name: 'localhost' },
      user: { id: 'ZA', name: 'dana@northwind.example', displayName: 'Dana Rivers' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    },
  });
  script.answer('addAccountPasskey', { name: 'iCloud Keychain' });
  script.answer('renameAccountPasskey', undefined);
  script.answer('removeAccountPasskey', undefined);
  script.answer('endAccountSession', undefined);
  script.answer('endOtherSessions', undefined);
  script.answer('forgetComputers', undefined);
  script.answer('offerAuthenticatorApp', offeredApp);
  script.answer('setUpAuthenticatorApp', undefined);
  script.answer('removeAuthenticatorApp', undefined);
  script.answer('makeRecoveryCodes', { recoveryCodes: offeredApp.recoveryCodes });
}

/** What a user sets an authenticator app up with. */
export const offeredApp = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Demo%20boards:dana%40northwind.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Demo%20boards',
  recoveryCodes: Array.from({ length: 10 }, (_, index) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.slice(index, index + 16),
  ),
};

/** A service at which everything goes well: a known site, the right password, one site, straight back to the application. */
export function playOpeningScene(script: Script, places: Places): void {
  const redirect = { status: 'redirect' as const, location: `${places.application}/arrived` };
  script.answer('getAuthContext', contextAt(places));
  script.answer('getRefreshContext', contextAt(places));
  playSignOut(script, places);
  script.answer('getSiteExistence', { siteExists: true, identityServiceUrl: places.service });
  script.answer('getSiteSettings', { allowPasswordEntry: true });
  script.answer('postSiteSettings', { allowPasswordEntry: true });
  script.answer('getUserSettings', { shouldRedirectToExternalAuth: false });
  script.answer('postUserSettings', { shouldRedirectToExternalAuth: false });
  script.answer('getExternalRedirect', { location: `${places.application}/enterprise-sign-in` });
  script.answer('getSamlSso', { location: `${places.application}/enterprise-sign-in` });
  script.answer('getSamlMetadata', '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>');
  script.answer('authenticate', redirect);
  script.answer('verifyMfaCode', redirect);
  script.answer('resendMfaCode', undefined, { retryAfterSeconds: 30 });
  script.answer('describeAuthenticatorApp', { mfaPhoneNumberSuffix: '42' });
  script.answer('passwordReset', redirect);
  script.answer('passwordPolicy', {
    policyLines: [{ line: 'minimumLength' }, { line: 'notBreached' }],
    minimumLength: 15,
  });
  script.answer('getSites', {
    sites: [
      siteNamed('northwind', 'Northwind Group'),
      siteNamed('harbor', 'Harbor Trust'),
      siteNamed('summit', 'Summit Foundation'),
    ],
    userFirstName: 'Dana',
    userLastName: 'Rivers',
    boardsUserName: 'drivers',
    directorToDoItemsEnabled: true,
  });
  script.answer('getSiteTodo', {
    pendingVoteCount: 2,
    openQuestionnairesCount: 0,
    directorHomePageEnabled: true,
    minutesCount: 1,
    actionItemsCount: 0,
  });
  script.answer('selectSite', redirect);
  script.answer('getRetry', { retry: false });
  script.answer('getPostLoginRedirect', { location: redirect.location });
  script.answer('getErrorMessage', {
    error: 'access_denied',
    errorDescription: 'The request was refused.',
    errorData: { Application: 'Demo boards' },
    correlationId: 'c-1',
    timestamp: '2026-11-20T09:30:00Z',
  });
  script.answer('postMetrics', undefined);
  script.answer('getRecoveryContext', recoveryContextAt(places));
  script.answer('sendPasswordLink', undefined);
  script.answer('sendSiteNames', undefined);
  script.answer('openPasswordLink', {
    userName: 'dana@northwind.example',
    passwordPolicy: { policyLines: [{ line: 'minimumLength' }], minimumLength: 15 },
  });
  script.answer('setNewPassword', undefined);
  script.answer('refuseChange', undefined);
  script.answer('setPreferences', undefined);
  playAccount(script, places);
  script.answer('getConfig', {
    globalSupportUrl: `${places.application}/support`,
    privacyPolicyBaseUrl: `${places.application}/privacy`,
    homeUri: `${places.application}/home`,
  });
}

/** One entry of the site list, open to this person. */
export function siteNamed(name: string, displayName: string): CallAnswer<'getSites'>['sites'][number] {
  return {
    name,
    displayName,
    sequence: 1,
    areEntitlementRequirementsMet: true,
    mfaRequirementMet: true,
    clientEntitlement: 'none',
  };
}
