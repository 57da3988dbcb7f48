import { resendWaitSeconds } from '@anteroom/contract';
import type { ErrorCode } from '@anteroom/contract';
import { describe, expect, test } from 'vitest';
import type { FlowEvent } from './events.ts';
import { contextWith, play, toCredentials, validSession } from './testing.ts';
import { resendRemainingSeconds } from './steps/second-factor.ts';

const signIn = { type: 'SIGN_IN', userName: ' ada@example.test ', password: 'correct horse' } as const;
const failed = (code: ErrorCode, more = {}): FlowEvent => ({
  type: 'AUTH_FAILED',
  by: 'authenticate',
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
  effects.find((effect) => effect.type === 'authenticate')?.body;

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

  test('is trimmed, and loading while it is looked up', () => {
    const { state, effects } = play([...atSiteEntry, { type: 'SITE_ENTERED', site: '  harbor ' }]);
    expect(state.loading).toBe(true);
    expect(effects).toContainEqual({ type: 'find-site', site: 'harbor' });
  });

  test('that exists becomes the default site, is stored, sets the base address, and resets the session to none', () => {
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
      { type: 'SITE_ENTERED', site: ' Harbor Trust ' },
      {
        type: 'SITE_CHECKED',
        site: 'Harbor Trust',
        answer: { ...answer, name: 'harbor', displayName: 'Harbor Trust', logoPath: '/harbor.svg' },
      },
    ]);
    expect(effects).toContainEqual({ type: 'find-site', site: 'Harbor Trust' });
    expect(effects).toContainEqual({ type: 'remember-site', site: 'harbor' });
    expect(effects).toContainEqual({ type: 'load-site-settings', site: 'harbor' });
    expect(state).toMatchObject({ site: 'harbor', rememberedSite: 'harbor' });
    expect(state.context).toMatchObject({
      defaultSite: 'harbor',
      defaultSiteDisplayName: 'Harbor Trust',
      defaultSiteLogoPath: '/harbor.svg',
    });
  });

  test.each([
    ['https://harbor.example/', 'harbor.example'],
    [' HTTP://harbor.example:8443/sign-in?next=/x#top ', 'harbor.example:8443'],
    ['and/or', 'and/or'],
    ['https://', 'https://'],
  ])('%j is looked up as %j: the host of a pasted address', (typed, site) => {
    const { effects } = play([...atSiteEntry, { type: 'SITE_ENTERED', site: typed }]);
    expect(effects).toContainEqual({ type: 'find-site', site });
  });

  test('that does not exist shows the error NotFound; any other failure shows GenericError', () => {
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

  test.each(['.', ' .. '])('%j is NotFound without a call, because no address can name it', (site) => {
    const { state, effects } = play([...atSiteEntry, { type: 'SITE_ENTERED', site }]);
    expect(state).toMatchObject({ page: 'site-entry', loading: false, error: { kind: 'NotFound' } });
    expect(effects).not.toContainEqual(expect.objectContaining({ type: 'find-site' }));
  });
});

describe('the sign-in payload', () => {
  test('contains site and user name if both can be entered', () => {
    expect(bodyOf(play([...toCredentials(), signIn]).effects)).toMatchObject({
      site: 'harbor',
      userName: 'ada@example.test',
    });
  });

  test('omits the site without a valid session if default-site entry is not allowed', () => {
    expect(bodyOf(play([...toCredentials({ allowDefaultSiteEntry: false }), signIn]).effects)).toMatchObject({
      site: undefined,
    });
  });

  test('omits the user name without a valid session if user-name entry is not allowed', () => {
    expect(bodyOf(play([...toCredentials({ allowUserNameEntry: false }), signIn]).effects)).toMatchObject({
      userName: undefined,
    });
  });

  test('contains both for a valid session', () => {
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

  test('is sent once, no matter how often the button is pressed', () => {
    const { effects } = play([...toCredentials(), signIn, signIn, signIn]);
    expect(effects.filter(({ type }) => type === 'authenticate')).toHaveLength(1);
  });
});

describe('a failed sign-in', () => {
  test.each([
    ['invalid_credentials', 'InvalidCredentials'],
    ['site_requires_mfa', 'SiteRequiresMfa'],
    ['mfa_invalid_phone_number', 'MfaInvalidPhoneNumber'],
    ['session_migration_failure', 'SessionMigrationFailure'],
    ['validation_failed', 'GenericError'],
    ['a_code_of_tomorrow' as ErrorCode, 'GenericError'],
  ] as const)('%s is %s', (code, kind) => {
    expect(play([...toCredentials(), signIn, failed(code)]).state).toMatchObject({
      loading: false,
      error: { kind },
    });
  });

  test('too many attempts restart the login with their message', () => {
    const { state, effects } = play([...toCredentials(), signIn, failed('mfa_max_attempts_exceeded')]);
    expect(state.notifications).toMatchObject([{ messageKey: 'mfa.errors.verificationLimitHit' }]);
    expect(effects.filter(({ type }) => type === 'load-auth-context')).toHaveLength(2);
  });

  test('a generic failure shows no message unless the service sends a description', () => {
    expect(play([...toCredentials(), signIn, failed('validation_failed')]).state.notifications).toEqual([]);
    const state = play([
      ...toCredentials(),
      signIn,
      failed('validation_failed', { description: '<b>No</b>' }),
    ]).state;
    expect(state.notifications).toMatchObject([{ level: 'error', description: '<b>No</b>' }]);
  });

  test('an unreachable service shows a notification and the page stays', () => {
    const { state } = play([
      ...toCredentials(),
      signIn,
      { type: 'AUTH_FAILED', by: 'authenticate', failure: { kind: 'unreachable' } },
    ]);
    expect(state).toMatchObject({ page: 'credentials', loading: false });
    expect(state.notifications).toMatchObject([{ messageKey: 'error.serverUnreachable' }]);
  });

  test('an unexpected answer ends on the error page', () => {
    const { state } = play([
      ...toCredentials(),
      signIn,
      { type: 'AUTH_FAILED', by: 'authenticate', failure: { kind: 'unexpected', status: 502 } },
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
  test('redirect without a valid session requests the location after 1.5 s, navigates, and checks after 5 s', () => {
    const first = play([
      ...toCredentials(),
      signIn,
      answered('redirect', { location: 'https://a.example/' }),
    ]);
    expect(first.effects.at(-1)).toEqual({ type: 'start-timer', timer: 'post-login-redirect', ms: 1500 });
    const requested = play([{ type: 'TIMER_FIRED', timer: 'post-login-redirect' }], first.state);
    expect(requested.effects).toEqual([{ type: 'load-post-login-redirect' }]);
    const left = play(
      [{ type: 'POST_LOGIN_REDIRECT_LOADED', location: 'https://b.example/' }],
      requested.state,
    );
    expect(left.effects).toEqual([
      { type: 'leave', location: 'https://b.example/' },
      { type: 'start-timer', timer: 'retry-check', ms: 5000 },
    ]);
  });

  test('redirect with a valid session navigates at once to the given location', () => {
    const { effects } = play([
      ...toCredentials({ session: validSession }),
      signIn,
      answered('redirect', { location: 'https://a.example/' }),
    ]);
    expect(effects).toContainEqual({ type: 'leave', location: 'https://a.example/' });
    expect(effects).not.toContainEqual(expect.objectContaining({ timer: 'post-login-redirect' }));
  });

  test('navigates to the location again if the service asks for a retry', () => {
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

  test('second_factor_required uses the values of the answer, and otherwise those of the context', () => {
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

  test('password_reset_required marks the reset, refreshes the context, loads the policy and shows the page', () => {
    const marked = play([...toCredentials(), signIn, answered('password_reset_required')]);
    expect(marked.effects.at(-1)).toEqual({ type: 'refresh-context', because: 'password_reset_required' });
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
    expect(shown.effects).toEqual([{ type: 'load-password-policy', userName: 'ada', site: 'harbor', page }]);
    expect(play([{ type: 'POLICY_LOADED', policy: undefined, page }], shown.state).state).toMatchObject({
      page,
      loading: false,
    });
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
    expect(effects.at(-1)).toMatchObject({ type: 'load-password-policy', userName: 'ada@example.test' });
    const reset = play(
      [
        { type: 'POLICY_LOADED', policy: undefined, page: 'password-reset-required' },
        { type: 'RESET_PASSWORD', currentPassword: 'a', newPassword: 'b', newPasswordConfirmation: 'b' },
      ],
      state,
    );
    expect(reset.effects).toMatchObject([{ type: 'reset-password', body: { userName: 'ada@example.test' } }]);
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

  test('select_site_required refreshes the context and shows the sites', () => {
    const refreshing = play([...toCredentials(), signIn, answered('select_site_required')]);
    expect(refreshing.effects.at(-1)).toEqual({ type: 'refresh-context', because: 'select_site_required' });
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
    expect(shown.effects).toContainEqual({ type: 'load-sites' });
  });

  test.each([
    ['password_required', 'password-required'],
    ['credentials_required', 'credentials'],
  ] as const)('%s shows %s', (status, page) => {
    expect(play([...toCredentials(), signIn, answered(status)]).state.page).toBe(page);
  });

  test.each([
    ['switching', true, { session: validSession, promptMethod: 'switch_site' }, undefined],
    [
      'switching',
      false,
      { session: validSession, promptMethod: 'switch_site' },
      { type: 'load-user-settings', usernameOrEmail: 'ada', site: 'summit' },
    ],
    ['without a site', true, { session: { ...validSession, authSite: undefined } }, undefined],
    ['with selectSite', true, { session: validSession, selectSite: true }, undefined],
  ] as const)(
    'credentials_required after a site selection follows the settings of the new site, not those of the previous site (%s, %s)',
    (_how, allowPasswordEntry, choosing, lookedUp) => {
      const switching = { ...choosing, userName: 'ada' };
      const before = play(toCredentials(switching, !allowPasswordEntry)).state;
      const answer = answered('credentials_required');
      const selected = play([{ ...answer, by: 'select-site' } as FlowEvent], {
        ...before,
        site: 'summit',
        lookedUpUserName: 'ada@harbor.example',
      });
      expect(selected.effects).toEqual([{ type: 'load-site-settings', site: 'summit', isChosen: true }]);
      expect(selected.state.page).toBe('select-site');
      const loaded = {
        type: 'SITE_SETTINGS_LOADED',
        answer: { allowPasswordEntry },
        isChosen: true,
      } as const;
      const shown = play([loaded], selected.state);
      expect(shown.effects.find(({ type }) => type === 'load-user-settings')).toEqual(lookedUp);
      const { page, siteAllowsPasswordEntry } = shown.state;
      expect([page, siteAllowsPasswordEntry]).toEqual([
        lookedUp ? 'select-site' : 'credentials',
        allowPasswordEntry,
      ]);
    },
  );

  test.each(['redirect', 'password_required', 'second_factor_required', 'select_site_required'] as const)(
    'a requested password change is no longer due after %s',
    (status) => {
      const context = contextWith({
        promptMethod: 'change_password',
        userName: 'ada@example.test',
        session: validSession,
      });
      const started = play(toCredentials(context));
      expect(started.state.context?.promptMethod).toBe('change_password');
      const changed = { ...answered(status), by: 'reset-password' } as FlowEvent;
      expect(play([changed], started.state).state.context?.promptMethod).toBeUndefined();
      const failure = { kind: 'handled', status: 400, code: 'invalid_new_password' } as const;
      const refused = play([{ type: 'AUTH_FAILED', by: 'reset-password', failure }], started.state);
      expect(refused.state.context?.promptMethod).toBe('change_password');
    },
  );

  test('authSiteIdentityBaseUri is the base address of the next calls', () => {
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

  test('a resend starts the wait of the contract, or of Retry-After, independent of the visitor’s clock', () => {
    const { secondFactor } = play([...atCode, { type: 'RESEND_CODE' }, resent()]).state;
    expect(resendRemainingSeconds(secondFactor, 5000)).toBe(resendWaitSeconds);
    expect(resendRemainingSeconds(secondFactor, 5001)).toBe(resendWaitSeconds);
    expect(resendRemainingSeconds(secondFactor, 6000)).toBe(resendWaitSeconds - 1);
    expect(resendRemainingSeconds(secondFactor, 5000 + 1000 * resendWaitSeconds)).toBe(0);
    expect(resendRemainingSeconds(play([...atCode, resent(83)]).state.secondFactor, 5000)).toBe(83);
  });

  test('a failed resend starts a wait only if it has Retry-After', () => {
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
    expect(blocked.secondFactor).toMatchObject({ resendError: 'GenericError', resending: false });
    expect(resendRemainingSeconds(blocked.secondFactor, 0)).toBe(66);
    const free = play([...atCode, { type: 'RESEND_CODE' }, { type: 'RESEND_FAILED', failure }]).state;
    expect(resendRemainingSeconds(free.secondFactor, 0)).toBe(0);
  });

  test.each(['mfa_token_expired', 'mfa_max_attempts_exceeded'] as const)(
    '%s restarts the login and keeps its message',
    (code) => {
      const { state, effects } = play([
        ...atCode,
        { type: 'AUTH_FAILED', by: 'verify-mfa-code', failure: { kind: 'handled', status: 401, code } },
      ]);
      expect(effects).toContainEqual({ type: 'load-auth-context' });
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
    by: 'authenticate',
    failure: { kind: 'unreachable' },
  };

  test.each([
    ['no connection', unreachable, 'error.serverUnreachable'],
    ['too many attempts', failed('rate_limit_reached'), 'error.tooManyAttempts'],
    ['a busy service', failed('overloaded'), 'error.busy'],
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

test('the description of a generic failure contains its code if its text has the placeholder', () => {
  const description = 'Call us and say {{errorCode}}, or {{errorCode}}.';
  const { state } = play([...toCredentials(), signIn, failed('$&_closed' as ErrorCode, { description })]);
  expect(state.notifications.map((one) => one.description)).toEqual([
    'Call us and say $&_closed, or $&_closed.',
  ]);
});

describe('pending notices', () => {
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

  test.each([
    ['sign-in', toCredentials(), signIn],
    ['back to site', toCredentials(), { type: 'BACK_TO_SITE' }],
    ['site select', toSites, { type: 'SELECT_SITE', site: 'harbor' }],
    ['sign-out', toSites, { type: 'SIGN_OUT' }],
    [
      'back from a password that a site asks for',
      [...toSites, { type: 'AUTH_ANSWERED', by: 'select-site', answer: { status: 'password_required' } }],
      { type: 'BACK' },
    ],
    ['reset', toChange, { type: 'RESET_PASSWORD', ...passwords }],
    ['cancel of a password change', toChange, { type: 'CANCEL_PASSWORD_CHANGE' }],
    ['sign-out on its own page', toLogout, { type: 'CONFIRM_LOGOUT' }],
  ] as const satisfies readonly (readonly [string, readonly FlowEvent[], FlowEvent])[])(
    'are cleared on %s',
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

  test('an error notification lowers the card for its own duration, or for 5000 ms when it is permanent', () => {
    const { state, effects } = play([
      ...toCredentials(),
      { type: 'NOTICE_FOUND', notice: { level: 'error', messageKey: 'x', durationMs: 0 } },
    ]);
    expect(state.cardMargin).toBe(true);
    expect(effects).toContainEqual({ type: 'start-timer', timer: 'card-margin', ms: 5000 });
    expect(play([{ type: 'TIMER_FIRED', timer: 'card-margin' }], state).state.cardMargin).toBe(false);
  });

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
