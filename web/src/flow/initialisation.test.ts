import type { AuthContext } from '@anteroom/contract';
import { describe, expect, test } from 'vitest';
import { callsIn, contextWith, play, toCredentials, validSession } from './testing.ts';

const started = { type: 'STARTED' } as const;
const refused = { kind: 'unexpected', status: 404 } as const;

describe('initialisation', () => {
  test('the login shows no page before the context has loaded [2.2]', () => {
    const { state, effects } = play([started]);
    expect(state).toMatchObject({ initialisation: 'INITIALIZING', page: undefined });
    expect(callsIn(effects, 'getAuthContext')).toHaveLength(1);
  });

  test('a context that cannot be loaded ends on the error page [4.1]', () => {
    const { state } = play([started, { type: 'CONTEXT_FAILED', failure: refused }]);
    expect(state).toMatchObject({ initialisation: 'INITIALIZED', page: 'error' });
  });

  test('on the error page the notification of an unreachable service is permanent, even after a timed notification', () => {
    const failure = { kind: 'unreachable' } as const;
    const { state, effects } = play([started, { type: 'CONTEXT_SLOW' }, { type: 'CONTEXT_FAILED', failure }]);
    expect(state.notifications).toMatchObject([{ messageKey: 'error.serverUnreachable', durationMs: 0 }]);
    expect(effects).toContainEqual({ type: 'stop-timer', timer: 'notification-1' });
  });

  test('a sign-in that needs no input leaves the page at once, without rendering and without a history entry [2.18]', () => {
    const location = 'https://boards.example/';
    const context = contextWith({
      finishedLocation: location,
      session: { ...validSession, state: 'expired' },
    });
    const { state, effects } = play([started, { type: 'CONTEXT_LOADED', context }]);
    expect(state).toMatchObject({ page: undefined, initialisation: 'INITIALIZING', notifications: [] });
    expect(effects.slice(1)).toEqual([{ type: 'leave', location, replaces: true }]);

    const cancelled = play(
      [
        started,
        { type: 'CONTEXT_LOADED', context: { ...context, cancelRedirectUri: 'https://boards.example/no' } },
      ],
      { entry: { kind: 'cancel-redirect-uri' } },
    );
    expect(cancelled.state.leavingTo).toBe('https://boards.example/no');
  });

  test.each([
    ['start', undefined, {}],
    ['over', '/connect/authorize/one', {}],
    ['cookies', '/connect/authorize/one', { lacksCookies: true }],
  ] as const)('a sign-in that the service does not know: %s', (reason, returnUrl, facts) => {
    const events = [started, { type: 'CONTEXT_FAILED', failure: refused, ...facts }] as const;
    const { state } = play([...events], { entry: { kind: 'login' }, returnUrl });
    expect(state.errorPage.reason).toBe(reason);
  });

  test('a call without the anti-forgery cookie reports the missing cookie', () => {
    const failure = { kind: 'unexpected', status: 403, code: 'csrf_failed' } as const;
    const { state } = play([...toCredentials(), { type: 'AUTH_FAILED', failure }]);
    expect(state).toMatchObject({ page: 'error', errorPage: { reason: 'cookies' } });
  });

  test('a 401 of the context call ends on the error page instead of looping', () => {
    const failure = { kind: 'unauthorised', status: 401 } as const;
    expect(play([started, { type: 'CONTEXT_FAILED', failure }]).state.page).toBe('error');
  });

  test('a 401 of the logout context shows a notification and goes to the login [4.1, 8.1]', () => {
    const failure = { kind: 'unauthorised', status: 401 } as const;
    const { state, effects } = play([started, { type: 'CONTEXT_FAILED', failure }], {
      entry: { kind: 'logout', logoutId: 'l1' },
    });
    expect(state).toMatchObject({
      entry: { kind: 'login' },
      notifications: [{ level: 'info', messageKey: 'error.unauthorized' }],
    });
    expect(effects.slice(-2)).toMatchObject([
      { type: 'show-address', address: 'account/login' },
      { type: 'call', name: 'getAuthContext' },
    ]);
    // The context call of that login ends on the error page.
    expect(play([{ type: 'CONTEXT_FAILED', failure }], state).state.page).toBe('error');
  });

  test('a logout with confirmation ends the initialisation; without confirmation it ends once the sign-out is done [2.3, 2.4, 3.3, 4.2, 4.29]', () => {
    const context = {
      requiresConfirmation: true,
      showCancelButton: true,
      postLogoutRedirectUri: undefined,
      signOutIFrameUrl: undefined,
    };
    const arrival = { entry: { kind: 'logout', logoutId: 'l1' } } as const;
    expect(play([started, { type: 'LOGOUT_CONTEXT_LOADED', context }], arrival).state).toMatchObject({
      initialisation: 'INITIALIZED',
      page: 'logout',
    });
    const direct = play(
      [started, { type: 'LOGOUT_CONTEXT_LOADED', context: { ...context, requiresConfirmation: false } }],
      arrival,
    );
    expect(direct.state).toMatchObject({ initialisation: 'INITIALIZING', page: undefined });
    expect(callsIn(direct.effects, 'signOut')).toHaveLength(1);
    expect(play([{ type: 'SIGNED_OUT' }], direct.state).state).toMatchObject({
      initialisation: 'INITIALIZED',
      page: 'logged-out',
    });
  });

  test.each([
    ['stays on the confirmation, with a notification', true, 'logout', 1],
    ['ends on the error page without a confirmation', false, 'error', 0],
  ])('a generic failure of the sign-out %s [4.2, 8.5]', (_, requiresConfirmation, page, notifications) => {
    const context = { requiresConfirmation, showCancelButton: true };
    const failure = { kind: 'handled', status: 500, code: 'internal_error' } as const;
    const { state } = play(
      [
        started,
        { type: 'LOGOUT_CONTEXT_LOADED', context },
        ...(requiresConfirmation ? [{ type: 'CONFIRM_LOGOUT' } as const] : []),
        { type: 'AUTH_FAILED', failure },
      ],
      { entry: { kind: 'logout' } },
    );
    expect(state).toMatchObject({ page, loading: false, initialisation: 'INITIALIZED' });
    expect(state.notifications).toHaveLength(notifications);
  });

  test.each([
    [undefined, 2000],
    [true, 0],
  ])(
    'the logged-out page navigates to the stored address after 2000 ms, or at once with skip_logout_delay: %s [2.5, 9.3]',
    (skipLogoutDelay, ms) => {
      const location = 'https://boards.example/bye';
      const context = {
        requiresConfirmation: false,
        showCancelButton: false,
        postLogoutRedirectUri: location,
      };
      const { state, effects } = play(
        [started, { type: 'LOGOUT_CONTEXT_LOADED', context }, { type: 'SIGNED_OUT' }],
        { entry: { kind: 'logout' }, skipLogoutDelay },
      );
      expect(effects.at(-1)).toEqual({ type: 'start-timer', timer: 'logged-out-redirect', ms });
      expect(play([{ type: 'TIMER_FIRED', timer: 'logged-out-redirect' }], state).effects).toEqual([
        { type: 'leave', location },
      ]);
    },
  );

  test('the error page requests the record of its errorId once, and no context [2.15]', () => {
    const from = { entry: { kind: 'error', errorId: 'e-1' } } as const;
    const { effects } = play([started], from);
    expect(effects).toHaveLength(1);
    expect(callsIn(effects, 'getErrorMessage')).toEqual([{ query: { errorId: 'e-1' } }]);
  });

  test('a sign-out page from the back/forward cache requests its context again [2.4]', () => {
    const open = {
      requiresConfirmation: false,
      showCancelButton: false,
      postLogoutRedirectUri: 'https://boards.example/bye',
      signOutIFrameUrl: undefined,
    };
    const signedOut = play(
      [started, { type: 'LOGOUT_CONTEXT_LOADED', context: open }, { type: 'SIGNED_OUT' }],
      { entry: { kind: 'logout', logoutId: 'l1' } },
    );
    const restored = play([{ type: 'RESTORED' }], signedOut.state);
    expect(callsIn(restored.effects, 'getLogoutContext').at(-1)).toEqual({ query: { logoutId: 'l1' } });
    // The visitor has signed in again since the page was cached.
    const contextLoaded = {
      type: 'LOGOUT_CONTEXT_LOADED',
      context: { ...open, requiresConfirmation: true },
    } as const;
    expect(play([contextLoaded], restored.state)).toMatchObject({
      state: { page: 'logout', loading: false },
      effects: [{ type: 'show-address', address: 'account/logout' }],
    });
    const still = play([{ type: 'LOGOUT_CONTEXT_LOADED', context: open }], restored.state);
    expect(callsIn(still.effects, 'signOut')).toHaveLength(1);
  });

  test('after a sign-out the frame keeps the application’s settings and the user is removed [2.24, 2.26]', () => {
    const loginFlowCustomizations = { languageSelectionAndLinksDisabled: true, nestedUIEliminated: true };
    const { state } = play([
      ...toCredentials({
        userName: 'dana.rivers',
        selectSite: true,
        session: validSession,
        loginFlowCustomizations,
      }),
      { type: 'SIGN_OUT' },
      { type: 'LOGOUT_CONTEXT_LOADED', context: undefined },
      { type: 'SIGNED_OUT' },
    ]);
    expect(state).toMatchObject({
      page: 'logged-out',
      context: { loginFlowCustomizations, userName: undefined, session: { state: 'none' } },
    });
    expect(JSON.stringify(state)).not.toContain('dana.rivers');
  });

  test('a stored notice is shown after the initialisation [3.5, 3.6, 4.3]', () => {
    const notice = { level: 'error', messageKey: 'error.serverUnreachable', durationMs: 0 } as const;
    const before = play([{ type: 'NOTICE_FOUND', notice }, started]).state;
    expect(before.notifications).toEqual([]);
    const after = play(
      [{ type: 'CONTEXT_LOADED', context: contextWith({ identityServiceUrl: undefined }) }],
      before,
    ).state;
    expect(after.notifications).toMatchObject([notice]);
  });
});

describe('context load', () => {
  test('without an identity service address the site is requested, even with a default site [4.14]', () => {
    const context = contextWith({ identityServiceUrl: undefined, defaultSite: 'harbor' });
    expect(play([started, { type: 'CONTEXT_LOADED', context }]).state.page).toBe('site-entry');
  });

  test('a known site is selected without a request [4.15]', () => {
    const { state, effects } = play([
      started,
      { type: 'CONTEXT_LOADED', context: contextWith({ defaultSite: 'harbor' }) },
    ]);
    expect(state.page).toBeUndefined();
    expect(callsIn(effects, 'getSiteSettings')).toMatchObject([{ query: { site: 'harbor' } }]);
  });

  test('an expired session shows a permanent notification [4.16, 8.10]', () => {
    const session = { state: 'expired', authSite: undefined, isExternallyAuthenticated: false } as const;
    const { state } = play([started, { type: 'CONTEXT_LOADED', context: contextWith({ session }) }]);
    expect(state.notifications).toMatchObject([
      { level: 'info', messageKey: 'error.unauthorized', durationMs: 0 },
    ]);
  });

  test('a stored notice replaces the notification of an expired session [4.16]', () => {
    const session = { state: 'expired', authSite: undefined, isExternallyAuthenticated: false } as const;
    const notice = { level: 'info', messageKey: 'passwordChange.done', durationMs: 0 } as const;
    const events = [
      { type: 'NOTICE_FOUND', notice },
      started,
      { type: 'CONTEXT_LOADED', context: contextWith({ session }) },
    ] as const;
    expect(play(events).state.notifications.map(({ messageKey }) => messageKey)).toEqual([
      'passwordChange.done',
    ]);
    // The notice can arrive later than the context, once its texts have loaded.
    const [found, ...before] = events;
    expect(play([...before, found]).state.notifications.map(({ messageKey }) => messageKey)).toEqual([
      'passwordChange.done',
    ]);
  });

  test('switching the tenant forgets the site and asks for another site [4.5]', () => {
    const context = contextWith({
      defaultSite: 'harbor',
      promptMethod: 'switch_tenant',
      session: validSession,
    });
    const { state } = play([started, { type: 'CONTEXT_LOADED', context }]);
    expect(state.page).toBe('site-entry');
    expect(state.site).toBeUndefined();
    expect(state.context?.session.authSite).toBeUndefined();
  });
});

describe('a page that was left between the password and the session', () => {
  const awaited = contextWith({
    defaultSite: 'harbor',
    mfaPhoneNumberSuffix: '42',
    nextCodeInSeconds: 20,
    secondFactors: [{ name: 'sms', hint: '42' }],
    awaitedStep: 'second_factor_required',
  });
  const time = { serviceTimeMs: 5000, receivedAtMs: 100 };
  const left = { entry: { kind: 'login' }, leftStep: { enteredUserName: 'ada' } } as const;
  const load = (context: AuthContext) => [started, { type: 'CONTEXT_LOADED', context, time }] as const;

  test('continues at a required password change, with the rules and the name for it', () => {
    const { state, effects } = play(load({ ...awaited, awaitedStep: 'password_reset_required' }), left);
    expect(callsIn(effects, 'passwordPolicy')).toMatchObject([{ body: { userName: 'ada', site: 'harbor' } }]);
    const change = play(
      [{ type: 'POLICY_LOADED', policy: undefined, page: 'password-reset-required' }],
      state,
    );
    expect(change.state).toMatchObject({ page: 'password-reset-required', enteredUserName: 'ada' });
  });

  test('continues at the code if the service awaits it', () => {
    const { state } = play(load(awaited), left);
    expect(state).toMatchObject({
      page: 'second-factor-required',
      site: 'harbor',
      baseAddress: 'https://id.example',
      enteredUserName: 'ada',
      secondFactor: {
        phoneNumberSuffixMfa: '42',
        messages: { sms: { codeSent: true, mfaSmsResendTimeout: 25_000 } },
      },
    });
  });

  test.each([
    [
      'the service awaits no step, without the name that was typed',
      { ...awaited, awaitedStep: undefined },
      left,
    ],
    ['the page is opened anew', awaited, { entry: { kind: 'login' } } as const],
  ])('asks for the password if %s', (_, context, arrival) => {
    const { state, effects } = play(load(context), arrival);
    expect(callsIn(effects, 'getSiteSettings')).toHaveLength(1);
    expect(state.enteredUserName).toBeUndefined();
  });

  test('asks for the password after a restart', () => {
    const { state } = play([...load(awaited), { type: 'START_AGAIN' }], left);
    const { effects } = play([{ type: 'CONTEXT_LOADED', context: awaited, time }], state);
    expect(callsIn(effects, 'getSiteSettings')).toHaveLength(1);
  });
});

describe('after the site settings [4.4, 4.5, 4.13]', () => {
  test.each([
    [
      'a voluntary password change comes first',
      { promptMethod: 'change_password', userName: 'dana.rivers', selectSite: true, session: validSession },
      'password-reset-voluntary',
    ],
    [
      'a password change without a user name leads to the credentials',
      { promptMethod: 'change_password' },
      'credentials',
    ],
    [
      'selectSite comes second',
      { selectSite: true, promptMethod: 'elevate', session: validSession },
      'select-site',
    ],
    [
      'a valid session without a site leads to the site selection',
      { session: { ...validSession, authSite: undefined } },
      'select-site',
    ],
    [
      'switch_site leads to the site selection',
      { promptMethod: 'switch_site', session: validSession },
      'select-site',
    ],
    [
      'elevate comes third, for a valid session',
      { promptMethod: 'elevate', session: validSession },
      'elevate',
    ],
    ['elevate without a valid session leads to the credentials', { promptMethod: 'elevate' }, 'credentials'],
    [
      'elevate after the end of the session leads to the credentials',
      { promptMethod: 'elevate', session: { ...validSession, state: 'expired' } },
      'credentials',
    ],
    [
      'the choice of a site comes before elevate',
      { promptMethod: 'elevate', session: { ...validSession, authSite: undefined } },
      'select-site',
    ],
    [
      'switch_site without a valid session leads to the credentials',
      { promptMethod: 'switch_site' },
      'credentials',
    ],
    ['else credentials', {}, 'credentials'],
  ] as const)('%s', (_, more, page) => {
    const { state, effects } = play(toCredentials(more));
    const rules = effects.find((effect) => effect.type === 'call' && effect.name === 'passwordPolicy');
    // A password-change page appears only once the password rules have loaded.
    const after = rules?.type === 'call' ? play([rules.answered({ policyLines: [] })], state).state : state;
    expect(after.page).toBe(page);
  });

  test('a user of an external provider confirms with a password if the site allows it, and otherwise at the provider with ForceAuthentication [2.37, 4.18]', () => {
    const session = { ...validSession, isExternallyAuthenticated: true };
    const context = { promptMethod: 'elevate', session, userName: 'ada' } as const;
    expect(play(toCredentials(context)).state.page).toBe('credentials');
    const lookedUp = play(toCredentials(context, false));
    expect(callsIn(lookedUp.effects, 'getUserSettings')).toMatchObject([
      { query: { usernameOrEmail: 'ada' } },
    ]);
    const { effects } = play(
      [
        {
          type: 'USER_SETTINGS_LOADED',
          usernameOrEmail: 'ada',
          answer: { shouldRedirectToExternalAuth: true },
        },
      ],
      lookedUp.state,
    );
    expect(effects).toContainEqual({ type: 'leave-to-external', site: 'harbor', forceAuthentication: true });
  });

  test('without password entry a known user is looked up first [4.17]', () => {
    const { state, effects } = play(toCredentials({ userName: 'ada' }, false));
    expect(state.page).toBeUndefined();
    expect(callsIn(effects, 'getUserSettings')).toMatchObject([
      { query: { usernameOrEmail: 'ada', site: 'harbor' } },
    ]);
  });

  test('without password and user-name entry the page goes to the external provider at once [4.18]', () => {
    const { effects } = play(toCredentials({ allowUserNameEntry: false }, false));
    expect(effects).toContainEqual({ type: 'leave-to-external', site: 'harbor', forceAuthentication: false });
  });
});

describe('signed out', () => {
  const unauthorised = { type: 'CALL_FAILED', failure: { kind: 'unauthorised', status: 401 } } as const;

  test('a 401 shows a notification, keeps ReturnUrl and restarts the login [4.30]', () => {
    const { state, effects } = play([...toCredentials(), unauthorised]);
    expect(state.notifications).toMatchObject([
      { level: 'info', messageKey: 'error.unauthorized', durationMs: 0 },
    ]);
    expect(effects.at(-1)).toMatchObject({ type: 'call', name: 'getAuthContext' });
    expect(effects).toContainEqual({ type: 'show-address', address: 'account/login' });
  });

  test('a service that becomes unreachable during the restart ends on the error page', () => {
    const unreachable = { type: 'CALL_FAILED', failure: { kind: 'unreachable' } } as const;
    const { state } = play([...toCredentials(), unauthorised, ...toCredentials().slice(1, 2), unreachable]);
    expect(state).toMatchObject({ initialisation: 'INITIALIZED', page: 'error' });
    expect(state.notifications).toMatchObject([{}, { messageKey: 'error.serverUnreachable' }]);
  });

  test('a second 401 without a visitor action in between ends on the error page [8.1]', () => {
    const { state } = play([...toCredentials(), unauthorised, ...toCredentials().slice(1), unauthorised]);
    expect(state.page).toBe('error');
  });
});

test.each([
  [{ sampleDestination: true }, 'sample-destination-url'],
  [{ sampleDestination: false }, 'error'],
  [{}, 'error'],
] as const)('with the configuration %j, the sample destination opens %s [2.18]', (config, page) => {
  const from = { entry: { kind: 'home', page: 'sample-destination-url' } } as const;
  const waiting = play([{ type: 'STARTED' }], from).state;
  expect(waiting.page).toBeUndefined();
  expect(play([{ type: 'CONFIG_LOADED', config }], waiting).state.page).toBe(page);
});
