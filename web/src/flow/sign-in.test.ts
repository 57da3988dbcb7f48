import { resendWaitSeconds } from '@anteroom/contract';
import type { ErrorCode } from '@anteroom/contract';
import { describe, expect, test } from 'vitest';
import type { FlowEvent } from './events.ts';
import { callsIn, contextWith, play, toCredentials, validSession } from './testing.ts';
import { resendRemainingSeconds } from './steps/second-factor.ts';

const signIn = { type: 'SIGN_IN', userName: 'ada@example.test', password: 'correct horse' } as const;
const failed = (code: ErrorCode, more = {}): FlowEvent => ({
  type: 'AUTH_FAILED',
  failure: { kind: 'handled', status: 400, code, ...more },
});
const answered = (
  status:
    | 'redirect'
    | 'second_factor_required'
    | 'select_site_required'
    | 'password_reset_required'
    | 'password_required'
    | 'credentials_required',
  more = {},
): FlowEvent => ({
  type: 'AUTH_ANSWERED',
  by: 'authenticate',
  answer: {
    status,
    location: undefined,
    authSiteIdentityBaseUri: undefined,
    mfaAdaptivePolicyEnabled: undefined,
    mfaPhoneNumberSuffix: undefined,
    mfaCodeValidityInMinutes: undefined,
    ...more,
  },
});
const bodyOf = (effects: ReturnType<typeof play>['effects']): unknown =>
  callsIn(effects, 'authenticate')[0]?.body;

const toSites: FlowEvent[] = [
  ...toCredentials({ selectSite: true, session: validSession }),
  {
    type: 'SITES_LOADED',
    siteList: {
      sites: [
        {
          name: 'harbor',
          displayName: 'Harbor Trust',
          sequence: 1,
          areEntitlementRequirementsMet: true,
          mfaRequirementMet: true,
        },
      ],
      userFirstName: 'Ada',
      userLastName: 'Byron',
      boardsUserName: 'ada',
      directorToDoItemsEnabled: false,
    },
  },
];
const toChange: FlowEvent[] = [
  ...toCredentials({ promptMethod: 'change_password', userName: 'ada' }),
  { type: 'POLICY_LOADED', policy: undefined, page: 'password-reset-voluntary' },
];
const toLogout: FlowEvent[] = [
  { type: 'STARTED' },
  {
    type: 'LOGOUT_CONTEXT_LOADED',
    context: { requiresConfirmation: true, showCancelButton: true },
  },
];
const passwords = { currentPassword: 'x', newPassword: 'x', newPasswordConfirmation: 'x' };

describe('the site', () => {
  const atSiteEntry: FlowEvent[] = [
    { type: 'STARTED' },
    {
      type: 'CONTEXT_LOADED',
      context: contextWith({ identityServiceUrl: undefined, session: validSession }),
    },
  ];
  const answer = {
    siteExists: true,
    identityServiceUrl: 'https://eu.id.example',
    forgotPasswordUrl: undefined,
  };

  test('is loading while it is looked up [4.19]', () => {
    const { state, effects } = play([...atSiteEntry, { type: 'SITE_ENTERED', site: 'harbor' }]);
    expect(state.loading).toBe(true);
    expect(callsIn(effects, 'getSiteExistence')).toEqual([{ params: { name: 'harbor' } }]);
  });

  test('that exists becomes the default site, is stored, sets the base address, and resets the session to none [4.5, 4.19]', () => {
    const { state, effects } = play([
      ...atSiteEntry,
      { type: 'SITE_ENTERED', site: 'harbor' },
      { type: 'SITE_CHECKED', site: 'harbor', answer },
    ]);
    expect(state).toMatchObject({ site: 'harbor', baseAddress: 'https://eu.id.example' });
    expect(state.context?.session.state).toBe('none');
    expect(effects).toContainEqual({ type: 'remember-site', site: 'harbor' });
  });

  test('uses the canonical name from the service, and the organisation is stored', () => {
    const { state, effects } = play([
      ...atSiteEntry,
      { type: 'SITE_ENTERED', site: 'Harbor Trust' },
      {
        type: 'SITE_CHECKED',
        site: 'Harbor Trust',
        answer: { ...answer, name: 'harbor', displayName: 'Harbor Trust', logoPath: '/harbor.svg' },
      },
    ]);
    expect(callsIn(effects, 'getSiteExistence')).toEqual([{ params: { name: 'Harbor Trust' } }]);
    expect(effects).toContainEqual({ type: 'remember-site', site: 'harbor' });
    expect(callsIn(effects, 'getSiteSettings')).toMatchObject([{ query: { site: 'harbor' } }]);
    expect(state).toMatchObject({ site: 'harbor', rememberedSite: 'harbor' });
    expect(state.context).toMatchObject({
      defaultSite: 'harbor',
      defaultSiteDisplayName: 'Harbor Trust',
      defaultSiteLogoPath: '/harbor.svg',
    });
  });

  test('whose settings are in the answer needs no second call', () => {
    const enter = (allowPasswordEntry: boolean) =>
      play([
        ...atSiteEntry,
        { type: 'SITE_ENTERED', site: 'harbor' },
        { type: 'SITE_CHECKED', site: 'harbor', answer: { ...answer, allowPasswordEntry } },
      ]);
    for (const allowPasswordEntry of [true, false]) {
      const { state, effects } = enter(allowPasswordEntry);
      expect(state).toMatchObject({ page: 'credentials', siteAllowsPasswordEntry: allowPasswordEntry });
      expect(callsIn(effects, 'getSiteSettings')).toEqual([]);
    }
  });

  test.each([
    ['https://harbor.example/', 'harbor.example'],
    ['HTTP://harbor.example:8443/sign-in?next=/x#top', 'harbor.example:8443'],
    ['https://harbor.example/?login_hint=eva@corp.example', 'harbor.example'],
    ['eva@corp.example', 'corp.example'],
    ['mailto:eva@corp.example?subject=Board', 'corp.example'],
    ['Eva Holm <eva@corp.example>;', 'corp.example'],
    ['and/or', 'and/or'],
    ['https://', 'https://'],
  ])('%j is looked up as %j: the host of a pasted URL, the domain of an e-mail address', (typed, site) => {
    const { effects } = play([...atSiteEntry, { type: 'SITE_ENTERED', site: typed }]);
    expect(callsIn(effects, 'getSiteExistence')).toEqual([{ params: { name: site } }]);
  });

  test('that does not exist shows the error NotFound; any other failure shows GenericError [4.19, 8.11]', () => {
    const missing = play([
      ...atSiteEntry,
      { type: 'SITE_CHECKED', site: 'x', answer: { ...answer, siteExists: false } },
    ]).state;
    expect(missing).toMatchObject({ page: 'site-entry', loading: false, error: { kind: 'NotFound' } });
    const broken = play([
      ...atSiteEntry,
      { type: 'SITE_CHECK_FAILED', failure: { kind: 'handled', status: 500, code: 'internal_error' } },
    ]).state;
    expect(broken).toMatchObject({ page: 'site-entry', error: { kind: 'GenericError' } });
  });

  test('a 503 leads to the error page: only 400, 429 and 500 are handled on the form', () => {
    const failure = { kind: 'handled', status: 503, code: 'overloaded', retryAfterSeconds: 5 } as const;
    expect(play([...atSiteEntry, { type: 'SITE_CHECK_FAILED', failure }]).state.page).toBe('error');
  });

  test.each(['.', '..'])('%j is NotFound without a call, because no address can name it', (site) => {
    const { state, effects } = play([...atSiteEntry, { type: 'SITE_ENTERED', site }]);
    expect(state).toMatchObject({ page: 'site-entry', loading: false, error: { kind: 'NotFound' } });
    expect(callsIn(effects, 'getSiteExistence')).toEqual([]);
  });
});

describe('the sign-in payload', () => {
  test('contains site and user name if both can be entered [3.10, 5.6, 6.3]', () => {
    expect(bodyOf(play([...toCredentials(), signIn]).effects)).toMatchObject({
      site: 'harbor',
      userName: 'ada@example.test',
    });
  });

  test('omits the site without a valid session if default-site entry is not allowed [3.10, 5.6, 6.3]', () => {
    expect(bodyOf(play([...toCredentials({ allowDefaultSiteEntry: false }), signIn]).effects)).toMatchObject({
      site: undefined,
    });
  });

  test('omits the user name without a valid session if user-name entry is not allowed [3.10, 5.6, 6.3]', () => {
    expect(bodyOf(play([...toCredentials({ allowUserNameEntry: false }), signIn]).effects)).toMatchObject({
      userName: undefined,
    });
  });

  test('contains both for a valid session [3.10, 5.6, 6.3]', () => {
    const more = {
      allowDefaultSiteEntry: false,
      allowUserNameEntry: false,
      userName: 'ada',
      session: validSession,
    };
    expect(bodyOf(play([...toCredentials(more), signIn]).effects)).toMatchObject({
      site: 'harbor',
      userName: 'ada',
      authSite: 'harbor',
    });
  });
});

test('after a refresh, the site of the session replaces the entered one, and that the default', () => {
  const refreshed = (authSite: string | undefined): string | undefined =>
    play([
      ...toCredentials(),
      signIn,
      {
        type: 'CONTEXT_REFRESHED',
        because: 'select_site_required',
        context: contextWith({ defaultSite: 'other', session: { ...validSession, authSite } }),
      },
    ]).state.site;
  expect([refreshed('summit'), refreshed(undefined)]).toEqual(['summit', 'harbor']);
});

describe('a failed sign-in', () => {
  test.each([
    ['invalid_credentials', 'InvalidCredentials'],
    ['site_requires_mfa', 'SiteRequiresMfa'],
    ['mfa_invalid_phone_number', 'MfaInvalidPhoneNumber'],
    ['session_migration_failure', 'SessionMigrationFailure'],
    ['validation_failed', 'GenericError'],
    ['a_code_of_tomorrow' as ErrorCode, 'GenericError'],
  ] as const)('%s is %s [8.7]', (code, kind) => {
    expect(play([...toCredentials(), signIn, failed(code)]).state).toMatchObject({
      loading: false,
      error: { kind },
    });
  });

  test('too many attempts restart the login with their message [8.7]', () => {
    const { state, effects } = play([...toCredentials(), signIn, failed('mfa_max_attempts_exceeded')]);
    expect(state.notifications).toMatchObject([{ messageKey: 'mfa.errors.verificationLimitHit' }]);
    expect(callsIn(effects, 'getAuthContext')).toHaveLength(2);
  });

  const description = '<b>No</b>';
  const unexpected = { messageKey: 'error.unexpectedErrorOccurred' };
  test.each([
    ['its description', { description, retryAfterSeconds: 61 }, { description }],
    [
      'the wait',
      { status: 500, retryAfterSeconds: 61 },
      { messageKey: 'error.busy', messageParameters: { count: 2 } },
    ],
    [
      'the wait',
      { status: 429, retryAfterSeconds: 1 },
      { messageKey: 'error.tooManyAttempts', messageParameters: { count: 1 } },
    ],
    ['that something went wrong', {}, unexpected],
  ])('a generic failure notifies of %s: %j [8.8]', (_what, failure, notification) => {
    const { state } = play([...toCredentials(), signIn, failed('validation_failed', failure)]);
    expect(state.notifications).toMatchObject([{ level: 'error', ...notification }]);
  });

  test('a generic failure has no message in the form', () => {
    expect(play([...toCredentials(), signIn, failed('validation_failed')]).state.banner).toBeUndefined();
  });

  test('an unreachable service shows a notification for ten seconds, and the page stays [8.4, 9.4]', () => {
    const { state, effects } = play([
      ...toCredentials(),
      signIn,
      { type: 'AUTH_FAILED', failure: { kind: 'unreachable' } },
    ]);
    expect(state).toMatchObject({ page: 'credentials', loading: false });
    expect(state.notifications).toMatchObject([{ messageKey: 'error.serverUnreachable' }]);
    expect(effects).toContainEqual(expect.objectContaining({ type: 'start-timer', ms: 10_000 }));
  });

  test('an unexpected answer ends on the error page', () => {
    const { state } = play([
      ...toCredentials(),
      signIn,
      { type: 'AUTH_FAILED', failure: { kind: 'unexpected', status: 502 } },
    ]);
    expect(state.page).toBe('error');
  });
});

describe('a user lookup', () => {
  const lookedUp = [
    ...toCredentials({}, false),
    { type: 'USER_NAME_ENTERED', usernameOrEmail: 'ada' } as const,
  ];

  test('can be tried again after a failure that the form handles', () => {
    const failure = { kind: 'handled', status: 429, code: 'rate_limit_reached' } as const;
    expect(play([...lookedUp, { type: 'USER_SETTINGS_FAILED', failure }]).state).toMatchObject({
      page: 'credentials',
      loading: false,
      error: { kind: 'GenericError' },
    });
  });

  test('ends on the error page after any other failure', () => {
    const failure = { kind: 'unexpected', status: 404 } as const;
    expect(play([...lookedUp, { type: 'USER_SETTINGS_FAILED', failure }]).state.page).toBe('error');
  });
});

describe('an answer’s status', () => {
  test('redirect without a valid session requests the location after 1.5 s, navigates, and checks after 5 s [4.32, 9.3]', () => {
    const first = play([
      ...toCredentials(),
      signIn,
      answered('redirect', { location: 'https://a.example/' }),
    ]);
    expect(first.effects.at(-1)).toEqual({ type: 'start-timer', timer: 'post-login-redirect', ms: 1500 });
    const requested = play([{ type: 'TIMER_FIRED', timer: 'post-login-redirect' }], first.state);
    expect(callsIn(requested.effects, 'getPostLoginRedirect')).toHaveLength(1);
    const left = play(
      [{ type: 'POST_LOGIN_REDIRECT_LOADED', location: 'https://b.example/' }],
      requested.state,
    );
    expect(left.effects).toEqual([
      { type: 'leave', location: 'https://b.example/' },
      { type: 'start-timer', timer: 'retry-check', ms: 5000 },
    ]);
  });

  test('redirect with a valid session navigates at once to the given location [3.4, 4.7]', () => {
    const { effects } = play([
      ...toCredentials({ session: validSession }),
      signIn,
      answered('redirect', { location: 'https://a.example/' }),
    ]);
    expect(effects).toContainEqual({ type: 'leave', location: 'https://a.example/' });
    expect(effects).not.toContainEqual(expect.objectContaining({ timer: 'post-login-redirect' }));
  });

  test('redirect of a service that says that the session is valid navigates at once', () => {
    const answer = answered('redirect', { location: 'https://a.example/', sessionValid: true });
    const { effects } = play([...toCredentials(), signIn, answer]);
    expect(effects).toContainEqual({ type: 'leave', location: 'https://a.example/' });
    expect(effects).not.toContainEqual(expect.objectContaining({ timer: 'post-login-redirect' }));
  });

  test('redirect without a location requests the location, also with a valid session', () => {
    const { effects } = play([...toCredentials({ session: validSession }), signIn, answered('redirect')]);
    expect(effects.at(-1)).toMatchObject({ timer: 'post-login-redirect' });
  });

  test('redirect after a required password change reloads the policy before it requests the location [4.7]', () => {
    const { effects } = play([
      ...toCredentials(),
      signIn,
      answered('password_reset_required'),
      {
        type: 'CONTEXT_REFRESHED',
        context: contextWith({ userName: 'ada', defaultSite: 'harbor' }),
        because: 'password_reset_required',
      },
      { ...answered('redirect'), by: 'passwordReset' } as FlowEvent,
    ]);
    expect(effects.slice(-2)).toMatchObject([
      { type: 'call', name: 'passwordPolicy', input: { body: { userName: 'ada', site: 'harbor' } } },
      { type: 'start-timer', timer: 'post-login-redirect', ms: 1500 },
    ]);
  });

  test('navigates to the location again if the service asks for a retry [4.32]', () => {
    const left = play([
      ...toCredentials({ session: validSession }),
      signIn,
      answered('redirect', { location: 'https://a.example/' }),
    ]).state;
    expect(play([{ type: 'RETRY_CHECKED', retry: true }], left).effects).toEqual([
      { type: 'leave', location: 'https://a.example/' },
    ]);
    expect(play([{ type: 'RETRY_CHECKED', retry: false }], left)).toMatchObject({
      effects: [],
      state: { loading: false },
    });
  });

  test('second_factor_required uses the values of the answer, and otherwise those of the context [3.2, 4.8]', () => {
    const { state } = play([
      ...toCredentials({ mfaPhoneNumberSuffix: '99' }),
      signIn,
      answered('second_factor_required', { mfaAdaptivePolicyEnabled: true }),
    ]);
    expect(state).toMatchObject({
      page: 'second-factor-required',
      loading: false,
      secondFactor: { adaptiveMfa: true, phoneNumberSuffixMfa: '99', codeValidityMinutes: 10 },
    });
  });

  test('password_reset_required marks the reset, refreshes the context, loads the policy and shows the page [4.8, 4.9]', () => {
    const marked = play([...toCredentials(), signIn, answered('password_reset_required')]);
    expect(marked.effects.at(-1)).toMatchObject({ type: 'call', name: 'getRefreshContext' });
    const shown = play(
      [
        {
          type: 'CONTEXT_REFRESHED',
          context: contextWith({ userName: 'ada', defaultSite: 'harbor' }),
          because: 'password_reset_required',
        },
      ],
      marked.state,
    );
    expect(shown.state).toMatchObject({ page: 'credentials', resetRequired: true, loading: true });
    const page = 'password-reset-required';
    expect(callsIn(shown.effects, 'passwordPolicy')).toEqual([{ body: { userName: 'ada', site: 'harbor' } }]);
    expect(play([{ type: 'POLICY_LOADED', policy: undefined, page }], shown.state).state).toMatchObject({
      page,
      loading: false,
    });
  });

  test('a cancelled required change returns to the organisation of the entered site', () => {
    const organisation = { defaultSiteDisplayName: 'Harbor Trust', forgotPasswordUrl: '/ui/recovery/x' };
    const { state } = play([
      ...toCredentials(organisation),
      signIn,
      answered('password_reset_required'),
      { type: 'CONTEXT_REFRESHED', context: contextWith({}), because: 'password_reset_required' },
      { type: 'POLICY_LOADED', policy: undefined, page: 'password-reset-required' },
      { type: 'CANCEL_PASSWORD_CHANGE' },
    ]);
    expect(state).toMatchObject({ page: 'credentials', context: organisation });
  });

  test('the entered name is kept if the refreshed context omits it', () => {
    const { state, effects } = play([
      ...toCredentials(),
      signIn,
      answered('password_reset_required'),
      {
        type: 'CONTEXT_REFRESHED',
        context: contextWith({ defaultSite: 'harbor' }),
        because: 'password_reset_required',
      },
    ]);
    expect(callsIn(effects, 'passwordPolicy').at(-1)).toMatchObject({
      body: { userName: 'ada@example.test' },
    });
    const reset = play(
      [
        { type: 'POLICY_LOADED', policy: undefined, page: 'password-reset-required' },
        { type: 'RESET_PASSWORD', currentPassword: 'a', newPassword: 'b', newPasswordConfirmation: 'b' },
      ],
      state,
    );
    expect(callsIn(reset.effects, 'passwordReset')).toMatchObject([
      { body: { userName: 'ada@example.test' } },
    ]);
  });

  test('redirect whose location cannot be requested is a failure like any other', () => {
    const leaving = play([
      ...toCredentials(),
      signIn,
      answered('redirect', { location: 'https://a.example/' }),
      { type: 'TIMER_FIRED', timer: 'post-login-redirect' },
    ]).state;
    const failedWith = (kind: 'unexpected' | 'unreachable'): FlowEvent => ({
      type: 'CALL_FAILED',
      failure: { kind },
    });
    expect(play([failedWith('unexpected')], leaving).state.page).toBe('error');
    expect(play([failedWith('unreachable')], leaving).state).toMatchObject({
      page: 'credentials',
      loading: false,
      notifications: [{ messageKey: 'error.serverUnreachable' }],
    });
  });

  test('select_site_required refreshes the context and shows the sites [4.8, 4.10]', () => {
    const refreshing = play([...toCredentials(), signIn, answered('select_site_required')]);
    expect(refreshing.effects.at(-1)).toMatchObject({ type: 'call', name: 'getRefreshContext' });
    const shown = play(
      [
        {
          type: 'CONTEXT_REFRESHED',
          context: contextWith({ session: { ...validSession, authSite: undefined } }),
          because: 'select_site_required',
        },
      ],
      refreshing.state,
    );
    expect(shown.state.page).toBe('select-site');
    expect(callsIn(shown.effects, 'getSites')).toHaveLength(1);
  });

  test.each([
    ['password_required', 'password-required'],
    ['credentials_required', 'credentials'],
  ] as const)('%s shows %s [4.8, 4.11, 4.12]', (status, page) => {
    expect(play([...toCredentials(), signIn, answered(status)]).state.page).toBe(page);
  });

  test.each([
    ['switching', true, { session: validSession, promptMethod: 'switch_site' }, []],
    [
      'switching',
      false,
      { session: validSession, promptMethod: 'switch_site' },
      [{ query: { usernameOrEmail: 'ada', site: 'summit' } }],
    ],
    ['without a site', true, { session: { ...validSession, authSite: undefined } }, []],
    ['with selectSite', true, { session: validSession, selectSite: true }, []],
  ] as const)(
    'credentials_required after a site selection follows the settings of the new site, not those of the previous site (%s, %s) [4.12]',
    (_how, allowPasswordEntry, choosing, lookedUp) => {
      const switching = { ...choosing, userName: 'ada' };
      const before = play(toCredentials(switching, !allowPasswordEntry)).state;
      const answer = answered('credentials_required');
      const selected = play([{ ...answer, by: 'selectSite' } as FlowEvent], {
        ...before,
        site: 'summit',
        lookedUpUserName: 'ada@harbor.example',
      });
      expect(callsIn(selected.effects, 'getSiteSettings')).toMatchObject([{ query: { site: 'summit' } }]);
      expect(selected.state.page).toBe('select-site');
      const loaded = {
        type: 'SITE_SETTINGS_LOADED',
        answer: { allowPasswordEntry },
        isChosen: true,
      } as const;
      const shown = play([loaded], selected.state);
      expect(callsIn(shown.effects, 'getUserSettings')).toEqual(lookedUp);
      const { page, siteAllowsPasswordEntry } = shown.state;
      expect([page, siteAllowsPasswordEntry]).toEqual([
        lookedUp.length > 0 ? 'select-site' : 'credentials',
        allowPasswordEntry,
      ]);
    },
  );

  test.each(['redirect', 'password_required', 'second_factor_required', 'select_site_required'] as const)(
    'a requested password change is no longer due after %s [4.6]',
    (status) => {
      const context = contextWith({
        promptMethod: 'change_password',
        userName: 'ada@example.test',
        session: validSession,
      });
      const started = play(toCredentials(context));
      expect(started.state.context?.promptMethod).toBe('change_password');
      const changed = { ...answered(status), by: 'passwordReset' } as FlowEvent;
      expect(play([changed], started.state).state.context?.promptMethod).toBeUndefined();
      const failure = { kind: 'handled', status: 400, code: 'invalid_new_password' } as const;
      const refused = play([{ type: 'AUTH_FAILED', failure }], started.state);
      expect(refused.state.context?.promptMethod).toBe('change_password');
    },
  );

  test('authSiteIdentityBaseUri is the base address of the next calls [3.4, 7.1]', () => {
    const { state } = play([
      ...toCredentials(),
      signIn,
      answered('second_factor_required', { authSiteIdentityBaseUri: 'https://us.id.example' }),
    ]);
    expect(state.baseAddress).toBe('https://us.id.example');
  });
});

describe('the second factor', () => {
  const atCode = [...toCredentials(), signIn, answered('second_factor_required')];
  const resent = (retryAfterSeconds?: number): FlowEvent => ({
    type: 'CODE_RESENT',
    resent: { retryAfterSeconds, serviceTimeMs: 1_000_000_000_000, receivedAtMs: 5000 },
  });

  test('a resend starts the wait of the contract, or of Retry-After, independent of the visitor’s clock [4.22, 9.1]', () => {
    const { sms } = play([...atCode, { type: 'RESEND_CODE' }, resent()]).state.secondFactor.messages;
    expect(resendRemainingSeconds(sms, 5000)).toBe(resendWaitSeconds);
    expect(resendRemainingSeconds(sms, 5001)).toBe(resendWaitSeconds);
    expect(resendRemainingSeconds(sms, 6000)).toBe(resendWaitSeconds - 1);
    expect(resendRemainingSeconds(sms, 5000 + 1000 * resendWaitSeconds)).toBe(0);
    expect(resendRemainingSeconds(play([...atCode, resent(83)]).state.secondFactor.messages.sms, 5000)).toBe(
      83,
    );
  });

  test('a failed resend starts a wait only if it has Retry-After [8.16]', () => {
    const failure = {
      kind: 'handled',
      status: 500,
      code: 'mfa_resend_failed',
      serviceTimeMs: 0,
      receivedAtMs: 0,
    } as const;
    const blocked = play([
      ...atCode,
      { type: 'RESEND_CODE' },
      { type: 'RESEND_FAILED', failure: { ...failure, retryAfterSeconds: 66 } },
    ]).state;
    expect(blocked.secondFactor.messages.sms).toMatchObject({
      resendError: 'GenericError',
      resending: false,
    });
    expect(resendRemainingSeconds(blocked.secondFactor.messages.sms, 0)).toBe(66);
    const free = play([...atCode, { type: 'RESEND_CODE' }, { type: 'RESEND_FAILED', failure }]).state;
    expect(resendRemainingSeconds(free.secondFactor.messages.sms, 0)).toBe(0);
  });

  test('a message by e-mail and a text message have separate waits and results', () => {
    const both = play([
      ...atCode,
      { type: 'RESEND_CODE', factor: 'email' },
      { type: 'RESEND_CODE' },
      { ...resent(40), factor: 'email' } as FlowEvent,
      { type: 'RESEND_FAILED', failure: { kind: 'handled', status: 500, code: 'mfa_resend_failed' } },
    ]);
    expect(callsIn(both.effects, 'resendMfaCode')).toEqual([{ body: { factor: 'email' } }, { body: {} }]);
    const { sms, email } = both.state.secondFactor.messages;
    expect(email).toMatchObject({ codeSent: true, codesResent: 1, resendError: 'None', resending: false });
    expect(resendRemainingSeconds(email, 5000)).toBe(40);
    expect(sms).toMatchObject({ codesResent: 0, resendError: 'GenericError', resending: false });
    expect(resendRemainingSeconds(sms, 5000)).toBe(0);
  });

  test.each([
    ['sms', { sms: true, email: false }],
    ['email', { sms: false, email: true }],
    ['passkey', { sms: false, email: false }],
    ['totp', { sms: false, email: false }],
    ['of a later release', { sms: false, email: false }],
  ])('with %s listed first, only the message of that factor has been sent', (name, sent) => {
    const listed = [{ name }, { name: 'sms' }, { name: 'email' }];
    const time = { serviceTimeMs: 1_000_000_000_000, receivedAtMs: 5000 };
    const asked = answered('second_factor_required', { secondFactors: listed, nextCodeInSeconds: 30 });
    const { secondFactor } = play([...toCredentials(), signIn, { ...asked, time } as FlowEvent]).state;
    const { sms, email } = secondFactor.messages;
    expect({ sms: sms.codeSent, email: email.codeSent }).toEqual(sent);
    expect([sms, email].map((message) => resendRemainingSeconds(message, 5000))).toEqual([
      sent.sms ? 30 : 0,
      sent.email ? 30 : 0,
    ]);
    expect(secondFactor.listed).toEqual(listed);
  });

  test('too many resends without Retry-After start the usual wait, which their message names [8.16]', () => {
    const failure = {
      kind: 'handled',
      status: 429,
      code: 'rate_limit_reached',
      serviceTimeMs: 0,
      receivedAtMs: 0,
    } as const;
    const blocked = play([...atCode, { type: 'RESEND_CODE' }, { type: 'RESEND_FAILED', failure }]).state;
    const { sms } = blocked.secondFactor.messages;
    expect(sms.resendError).toBe('RateLimitReached');
    expect(resendRemainingSeconds(sms, 0)).toBe(resendWaitSeconds);
  });

  test.each(['mfa_token_expired', 'mfa_max_attempts_exceeded'] as const)(
    '%s restarts the login and keeps its message [4.23, 4.24]',
    (code) => {
      const { state, effects } = play([
        ...atCode,
        { type: 'AUTH_FAILED', failure: { kind: 'handled', status: 401, code } },
      ]);
      expect(callsIn(effects, 'getAuthContext')).toHaveLength(2);
      const again = play(toCredentials().slice(1), state).state;
      expect(again.page).toBe('credentials');
      expect(again.notifications).toHaveLength(1);
    },
  );

  test('an error clears without a submission', () => {
    const wrong = play([...atCode, { type: 'CODE_INCOMPLETE', empty: true }]).state;
    expect(wrong.error?.kind).toBe('CodeRequired');
    expect(play([{ type: 'CODE_ERROR_CLEARED' }], wrong).state.error).toBeUndefined();
  });
});

describe('the banner of a step', () => {
  const unreachable: FlowEvent = {
    type: 'AUTH_FAILED',
    failure: { kind: 'unreachable' },
  };

  test.each([
    ['no connection', unreachable, 'error.serverUnreachable'],
    [
      'too many attempts',
      failed('rate_limit_reached', { status: 429, retryAfterSeconds: 9 }),
      'error.tooManyAttempts',
    ],
    ['a busy service', failed('overloaded', { retryAfterSeconds: 9 }), 'error.busy'],
  ])('shows a failure of the whole step: %s, until the next action', (_, failure, messageKey) => {
    const { state } = play([...toCredentials(), signIn, failure]);
    expect(state.banner).toMatchObject({ level: 'error', messageKey });
    const later = play([{ type: 'DISMISS_NOTIFICATION', id: state.notifications[0]?.id ?? 0 }], state).state;
    expect(later.banner).toEqual(state.banner);
    expect(play([signIn], later).state.banner).toBeUndefined();
  });

  test.each(['mfa_token_expired', 'mfa_max_attempts_exceeded'] as const)(
    'stays while %s restarts the login',
    (code) => {
      const { state } = play([
        ...toCredentials(),
        signIn,
        answered('second_factor_required'),
        failed(code),
        ...toCredentials().slice(1),
      ]);
      expect([state.page, state.banner?.level]).toEqual(['credentials', 'error']);
    },
  );

  test('the message about a lost connection ends when the browser has a connection again; no other message does', () => {
    const lost = play([...toCredentials(), signIn, unreachable]).state;
    expect(lost.banner).toBeDefined();
    const connected = play([{ type: 'CONNECTED' }], lost).state;
    expect(connected).toMatchObject({ page: 'credentials', notifications: [], banner: undefined });
    const expired = play(
      toCredentials({ session: { state: 'expired', isExternallyAuthenticated: false } }),
    ).state;
    expect(expired.banner).toBeDefined();
    expect(play([{ type: 'CONNECTED' }], expired).state).toEqual(expired);
  });

  test('shows that the session has ended, unless there is a stored notice', () => {
    const expired = { session: { ...validSession, state: 'expired' as const } };
    expect(play(toCredentials(expired)).state.banner).toMatchObject({
      level: 'info',
      messageKey: 'error.unauthorized',
    });
    const notice = { level: 'error', messageKey: 'error.serverUnreachable', durationMs: 0 } as const;
    const stored = play([...toCredentials(expired), { type: 'NOTICE_FOUND', notice }]).state;
    expect(stored.banner).toMatchObject({ messageKey: 'error.serverUnreachable' });
  });

  test('does not show a failed first connection, or texts of the service', () => {
    const [started, ...more] = toCredentials();
    const slow = play([started ?? { type: 'STARTED' }, { type: 'CONTEXT_SLOW' }, ...more]).state;
    expect([slow.notifications.length, slow.banner]).toEqual([1, undefined]);
    const state = play([
      ...toCredentials(),
      signIn,
      failed('other' as ErrorCode, { description: 'Closed' }),
    ]).state;
    expect([state.notifications.length, state.banner]).toEqual([1, undefined]);
  });
});

test('the description of a generic failure contains its code if its text has the placeholder [8.8]', () => {
  const description = 'Call us and say {{errorCode}}, or {{errorCode}}.';
  const { state } = play([...toCredentials(), signIn, failed('$&_closed' as ErrorCode, { description })]);
  expect(state.notifications.map((one) => one.description)).toEqual([
    'Call us and say $&_closed, or $&_closed.',
  ]);
});

describe('a submission that is repeated before its answer', () => {
  const toSiteEntry: FlowEvent[] = [
    { type: 'STARTED' },
    { type: 'CONTEXT_LOADED', context: contextWith({ identityServiceUrl: undefined }) },
  ];
  const toCode = [...toCredentials(), signIn, answered('second_factor_required')];

  test.each([
    ['getSiteExistence', toSiteEntry, { type: 'SITE_ENTERED', site: 'harbor' }],
    ['getUserSettings', toCredentials({}, false), { type: 'USER_NAME_ENTERED', usernameOrEmail: 'ada' }],
    ['authenticate', toCredentials(), signIn],
    ['verifyMfaCode', toCode, { type: 'CODE_ENTERED', code: '123456', publicComputerSignIn: false }],
    ['resendMfaCode', toCode, { type: 'RESEND_CODE' }],
    ['passwordReset', toChange, { type: 'RESET_PASSWORD', ...passwords }],
    ['selectSite', toSites, { type: 'SELECT_SITE', site: 'harbor' }],
    ['getLogoutContext', toSites, { type: 'SIGN_OUT' }],
    ['signOut', toLogout, { type: 'CONFIRM_LOGOUT' }],
  ] as const satisfies readonly (readonly [string, readonly FlowEvent[], FlowEvent])[])(
    'makes one call: %s [4.20, 4.21, F14]',
    (name, events, event) => {
      const entry = { kind: name === 'signOut' ? 'logout' : 'login' } as const;
      const { effects } = play([...events, event, event, event], { entry });
      expect(callsIn(effects, name)).toHaveLength(1);
    },
  );
});

describe('pending notices', () => {
  test.each([
    ['sign-in', toCredentials(), signIn],
    ['back to site', toCredentials(), { type: 'BACK_TO_SITE' }],
    ['site select', toSites, { type: 'SELECT_SITE', site: 'harbor' }],
    ['sign-out', toSites, { type: 'SIGN_OUT' }],
    [
      'back from a password that a site asks for',
      [...toSites, { type: 'AUTH_ANSWERED', by: 'selectSite', answer: { status: 'password_required' } }],
      { type: 'BACK' },
    ],
    ['reset', toChange, { type: 'RESET_PASSWORD', ...passwords }],
    ['cancel of a password change', toChange, { type: 'CANCEL_PASSWORD_CHANGE' }],
    ['sign-out on its own page', toLogout, { type: 'CONFIRM_LOGOUT' }],
  ] as const satisfies readonly (readonly [string, readonly FlowEvent[], FlowEvent])[])(
    'are cleared on %s [4.31]',
    (name, events, event) => {
      const entry = name === 'sign-out on its own page' ? ({ kind: 'logout' } as const) : undefined;
      const { state } = play(
        [...events, { type: 'NOTICE_FOUND', notice: { level: 'info', messageKey: 'x', durationMs: 0 } }],
        { entry: entry ?? { kind: 'login' } },
      );
      expect(state.notifications).toHaveLength(1);
      expect(play([event], state).state.notifications).toEqual([]);
    },
  );

  test('a duplicate is shown once', () => {
    const notice = { level: 'error', messageKey: 'x', durationMs: 10_000 } as const;
    const found: FlowEvent = { type: 'NOTICE_FOUND', notice };
    expect(play([...toCredentials(), found, found]).state.notifications).toHaveLength(1);
  });

  test.each([
    [0, 5000],
    [700, 700],
    [12_000, 12_000],
  ])(
    'an error notification lowers the card for its own duration, or for 5000 ms when it is permanent: %i [2.27]',
    (durationMs, ms) => {
      const { state, effects } = play([
        ...toCredentials(),
        { type: 'NOTICE_FOUND', notice: { level: 'error', messageKey: 'x', durationMs } },
      ]);
      expect(state.cardMargin).toBe(true);
      expect(effects).toContainEqual({ type: 'start-timer', timer: 'card-margin', ms });
      expect(play([{ type: 'TIMER_FIRED', timer: 'card-margin' }], state).state.cardMargin).toBe(false);
    },
  );

  test.each([
    [-1, 0],
    [2 ** 31 - 1, 2 ** 31 - 1],
    [2 ** 31, 2 ** 31 - 1],
    [Infinity, 2 ** 31 - 1],
  ])(
    'a duration of %d ms is clamped to %d ms, because longer timers fire at once [9.4]',
    (durationMs, clamped) => {
      const { state, effects } = play([
        ...toCredentials(),
        { type: 'NOTICE_FOUND', notice: { level: 'info', messageKey: 'x', durationMs } },
      ]);
      expect(state.notifications).toMatchObject([{ durationMs: clamped }]);
      const timers = effects.filter(({ type }) => type === 'start-timer');
      expect(timers).toMatchObject(clamped === 0 ? [] : [{ ms: clamped }]);
    },
  );

  test('no visitor action ends the card’s margin: it ends after its time, or when the submission has settled', () => {
    const { state } = play([
      ...toCredentials(),
      { type: 'NOTICE_FOUND', notice: { level: 'error', messageKey: 'x', durationMs: 0 } },
    ]);
    const dismissed = play([{ type: 'DISMISS_NOTIFICATION', id: state.notifications[0]?.id ?? 0 }], state);
    expect(dismissed.state.cardMargin).toBe(true);
    const pressed = play([signIn], state);
    expect([pressed.state.notifications, pressed.state.cardMargin]).toEqual([[], true]);
    const settled = play([failed('invalid_credentials')], pressed.state);
    expect(settled.state.cardMargin).toBe(false);
    expect(settled.effects).toContainEqual({ type: 'stop-timer', timer: 'card-margin' });
  });
});
