import type { CallAnswer } from '@anteroom/contract';
import type { AccountCallAnswer } from '@anteroom/contract/account';
import type { RecoveryCallAnswer } from '@anteroom/contract/recovery';
import type { Script } from './script.ts';

type Context = CallAnswer<'getAuthContext'>;

/** URLs for scripted responses. */
export interface ScriptedUrls {
  /** The service's own URL. */
  service: string;
  /** An application that starts sign-ins; every path returns a plain page. */
  application: string;
}

/** The organisation of the known site. */
const organisation = { displayName: 'Northwind Holdings', logoPath: '/ui/favicon.svg' };

/** A sign-in at a known site without a session, with optional changes. */
export function contextAt(urls: ScriptedUrls, more: Partial<Context> = {}): Context {
  return {
    identityServiceUrl: urls.service,
    defaultSite: 'northwind',
    defaultSiteDisplayName: organisation.displayName,
    defaultSiteLogoPath: organisation.logoPath,
    selectSite: false,
    allowDefaultSiteEntry: true,
    allowUserNameEntry: true,
    allowPasswordEntry: true,
    reauthRequested: false,
    clientId: 'director',
    cancelRedirectUri: `${urls.application}/cancelled`,
    forgotPasswordUrl: `${urls.application}/forgot-password`,
    siteRecoveryClientUri: `${urls.application}/forgot-site`,
    mfaCodeValidityInMinutes: 10,
    session: { state: 'none', isExternallyAuthenticated: false },
    ...more,
  };
}

/**
 * The context of a sign-out that an application has requested for a signed-in user. The sign-out returns to the
 * application.
 */
export function logoutContextAt({ application }: ScriptedUrls): CallAnswer<'getLogoutContext'> {
  return {
    requiresConfirmation: true,
    showCancelButton: true,
    postLogoutRedirectUri: `${application}/signed-out`,
    signOutIFrameUrl: `${application}/sign-out-frame`,
  };
}

/**
 * Answers the call like the real service (`verify/` checks both against the same rules). With a logout id, the sign-out
 * returns to the application; without one, to the start page of this browser's sign-in. After the sign-out there is
 * nothing to confirm or cancel, no frame, and no sign-in.
 */
function playSignOut(script: Script, urls: ScriptedUrls): void {
  let isSignedIn = true;
  script.answer('getLogoutContext', ({ query: { logoutId } }) => {
    const { postLogoutRedirectUri: asked, ...signedIn } = logoutContextAt(urls);
    const postLogoutRedirectUri = logoutId ? asked : isSignedIn ? `${urls.application}/home` : undefined;
    return isSignedIn
      ? { ...signedIn, postLogoutRedirectUri }
      : { requiresConfirmation: false, showCancelButton: false, postLogoutRedirectUri };
  });
  script.answer('signOut', () => void (isSignedIn = false));
}

/** The context of a visit to the recovery pages, which links back to the application. */
export function recoveryContextAt({ application }: ScriptedUrls): RecoveryCallAnswer<'getRecoveryContext'> {
  return { linkValidityInMinutes: 30, signInUrl: `${application}/sign-in` };
}

/** The account of a user who is signed in with two browsers. */
export function accountAt({ application }: ScriptedUrls): AccountCallAnswer<'getAccount'> {
  const signedIn = { site: 'Northwind Holdings', signedInAt: '2026-11-20T08:05:00Z' };
  return {
    userName: 'dana@northwind.example',
    name: 'Dana Rivers',
    email: 'dana@northwind.example',
    sites: ['Northwind Holdings', 'Harbor Trust', 'Summit Foundation'],
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
    phoneNumber: { suffix: '42' },
    mayAddCodeFactor: true,
    hasActivity: true,
    backUri: `${application}/home`,
  };
}

const activity: AccountCallAnswer<'getAccountActivity'> = {
  events: [
    {
      at: '2026-11-20T09:30:00Z',
      kind: 'signed-in',
      site: 'Northwind Holdings',
      browser: 'Chrome (Windows)',
    },
    { at: '2026-11-20T09:29:00Z', kind: 'wrong-code', site: 'Northwind Holdings' },
    { at: '2026-11-19T07:45:00Z', kind: 'signed-out', browser: 'Safari (iPad)' },
    { at: '2026-11-12T16:20:00Z', kind: 'phone-number-set' },
    { at: '2026-11-02T10:05:00Z', kind: 'changed-by-operator' },
    { at: '2026-11-01T11:40:00Z', kind: 'password-changed', browser: 'Safari (iPad)' },
    // The page omits events of an unknown kind.
    { at: '2026-11-01T10:05:00Z', kind: 'something-newer' },
  ],
};

const creationOptions = {
  challenge: 'YQ',
  rp: { name: 'localhost' },
  user: { id: 'ZA', name: 'dana@northwind.example', displayName: 'Dana Rivers' },
  pubKeyCredParams: [{ type: 'public-key' as const, alg: -7 }],
};

function playAccount(script: Script, urls: ScriptedUrls): void {
  const { application } = urls;
  script.answer('getAccount', accountAt(urls));
  script.answer('getAccountProof', { location: `${application}/proof` });
  script.answer('beginAccountPasskey', { options: creationOptions });
  script.answer('addAccountPasskey', { name: 'iCloud Keychain' });
  script.answer('renameAccountPasskey', undefined);
  script.answer('removeAccountPasskey', undefined);
  script.answer('endAccountSession', undefined);
  script.answer('endOtherSessions', undefined);
  script.answer('forgetComputers', undefined);
  script.answer('offerAuthenticatorApp', offeredApp);
  script.answer('setUpAuthenticatorApp', undefined);
  script.answer('removeAuthenticatorApp', undefined);
  script.answer('sendPhoneNumberCode', { suffix: '77', codeValidityInMinutes: 10, nextCodeInSeconds: 30 });
  script.answer('setPhoneNumber', undefined);
  script.answer('removePhoneNumber', undefined);
  script.answer('getAccountActivity', activity);
  script.answer('getAccountData', {
    account: {
      userName: 'director@demo.example',
      email: null,
      status: 'active',
      recentSitesFirst: false,
      createdAt: '2025-02-03T09:00:00Z',
    },
    memberships: [
      { site: 'northwind', displayName: 'Northwind Group', clientEntitlement: 'Director', pinned: false },
      { site: 'harbor', displayName: 'Harbor Trust', pinned: true },
    ],
    rememberedComputers: [],
    sessions: [
      {
        browser: 'Chrome (Windows)',
        site: 'northwind',
        methods: [{ method: 'pwd' }],
        signedInAt: '2026-11-20T08:05:00Z',
      },
    ],
    auditEvents: [
      { at: '2026-11-20T08:05:00Z', event: 'password.check', result: 'success', site: 'northwind' },
    ],
  });
  script.answer('makeRecoveryCodes', { recoveryCodes: offeredApp.recoveryCodes });
}

/** The secrets for setting up an authenticator app. */
export const offeredApp = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Demo%20boards:dana%40northwind.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Demo%20boards',
  recoveryCodes: Array.from({ length: 10 }, (_, index) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.slice(index, index + 16),
  ),
};

/** The default script, in which every call succeeds: a known site, the right password, one site, and back to the application. */
export function playOpeningScene(script: Script, urls: ScriptedUrls): void {
  const redirect = { status: 'redirect' as const, location: `${urls.application}/arrived` };
  script.answer('getAuthContext', contextAt(urls));
  script.answer('getRefreshContext', contextAt(urls));
  playSignOut(script, urls);
  script.answer('getSiteExistence', { siteExists: true, identityServiceUrl: urls.service, ...organisation });
  script.answer('getSiteSettings', { allowPasswordEntry: true });
  script.answer('postSiteSettings', { allowPasswordEntry: true });
  script.answer('getUserSettings', { shouldRedirectToExternalAuth: false });
  script.answer('postUserSettings', { shouldRedirectToExternalAuth: false });
  script.answer('getExternalRedirect', { location: `${urls.application}/enterprise-sign-in` });
  script.answer('getSamlSso', { location: `${urls.application}/enterprise-sign-in` });
  script.answer('getSamlMetadata', '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>');
  script.answer('authenticate', redirect);
  script.answer('verifyMfaCode', redirect);
  script.answer('resendMfaCode', undefined, { retryAfterSeconds: 30 });
  script.answer('describeAuthenticatorApp', { mfaPhoneNumberSuffix: '42' });
  script.answer('beginPasskeySignIn', { options: { challenge: 'YQ' } });
  script.answer('signInWithPasskey', redirect);
  script.answer('beginPasskeyEnrolment', { options: creationOptions });
  script.answer('enrolPasskey', { name: 'iCloud Keychain' });
  script.answer('declinePasskey', undefined);
  script.answer('passwordReset', redirect);
  script.answer('passwordPolicy', {
    policyLines: [{ line: 'minimumLength' }, { line: 'notBreached' }],
    minimumLength: 15,
  });
  script.answer('getSites', {
    sites: [
      siteNamed('northwind', 'Northwind Holdings'),
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
    error: 'external_sign_in_failed',
    errorData: {},
    correlationId: '2871934406-1170452913-3904418827-1561293340',
    timestamp: '2026-11-20T09:30:00Z',
  });
  script.answer('postMetrics', undefined);
  script.answer('getRecoveryContext', recoveryContextAt(urls));
  script.answer('sendPasswordLink', undefined);
  script.answer('sendSiteNames', undefined);
  script.answer('openPasswordLink', {
    userName: 'dana@northwind.example',
    passwordPolicy: { policyLines: [{ line: 'minimumLength' }], minimumLength: 15 },
  });
  script.answer('setNewPassword', undefined);
  script.answer('refuseChange', undefined);
  script.answer('setPreferences', undefined);
  script.answer('pinSite', undefined);
  script.answer('forgetAccount', undefined);
  playAccount(script, urls);
  script.answer('getConfig', {
    globalSupportUrl: `${urls.application}/support`,
    privacyPolicyBaseUrl: `${urls.application}/privacy`,
    homeUri: `${urls.application}/home`,
  });
}

/** An entry of the site list that the user can enter. */
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
