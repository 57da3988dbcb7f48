import { describe, expect, test } from 'vitest';
import { contextWith, play, toCredentials, validSession } from './testing.ts';

const started = { type: 'STARTED' } as const;
const refused = { kind: 'unexpected', status: 404 } as const;

describe('initialisation', () => {
  test('the login shows no page before the context has loaded', () => {
    const { state, effects } = play([started]);
    expect(state).toMatchObject({ initialisation: 'INITIALIZING', page: undefined });
    expect(effects).toEqual([{ type: 'load-auth-context' }]);
  });

  test('a context that cannot be loaded ends on the error page', () => {
    const { state } = play([started, { type: 'CONTEXT_FAILED', failure: refused }]);
    expect(state).toMatchObject({ initialisation: 'INITIALIZED', page: 'error' });
  });

  test('on the error page the notification of an unreachable service is permanent, even after a timed notification', () => {
    const failure = { kind: 'unreachable' } as const;
    const { state, effects } = play([started, { type: 'CONTEXT_SLOW' }, { type: 'CONTEXT_FAILED', failure }]);
    expect(state.notifications).toMatchObject([{ messageKey: 'error.serverUnreachable', durationMs: 0 }]);
    expect(effects).toContainEqual({ type: 'stop-timer', timer: 'notification-1' });
  });

  test('a sign-in that needs no input leaves the page at once, without rendering and without a history entry', () => {
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
    const { state } = play([...toCredentials(), { type: 'AUTH_FAILED', failure, by: 'authenticate' }]);
    expect(state).toMatchObject({ page: 'error', errorPage: { reason: 'cookies' } });
  });

  test('a 401 of the context call ends on the error page instead of looping', () => {
    const failure = { kind: 'unauthorised', status: 401 } as const;
    expect(play([started, { type: 'CONTEXT_FAILED', failure }]).state.page).toBe('error');
  });

  test('a 401 of the logout context shows a notification and goes to the login', () => {
    const failure = { kind: 'unauthorised', status: 401 } as const;
    const { state, effects } = play([started, { type: 'CONTEXT_FAILED', failure }], {
      entry: { kind: 'logout', logoutId: 'l1' },
    });
    expect(state).toMatchObject({
      entry: { kind: 'login' },
      notifications: [{ level: 'info', messageKey: 'error.unauthorized' }],
    });
    expect(effects.slice(-2)).toEqual([
      { type: 'show-address', address: 'account/login' },
      { type: 'load-auth-context' },
    ]);
    // The context call of that login ends on the error page.
    expect(play([{ type: 'CONTEXT_FAILED', failure }], state).state.page).toBe('error');
  });

  test('a logout with confirmation ends the initialisation; without confirmation it ends once the sign-out is done', () => {
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
    expect(direct.effects).toContainEqual({ type: 'sign-out' });
    expect(play([{ type: 'SIGNED_OUT' }], direct.state).state).toMatchObject({
      initialisation: 'INITIALIZED',
      page: 'logged-out',
    });
  });

  test('a sign-out page from the back/forward cache requests its context again', () => {
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
    expect(restored.effects).toContainEqual({ type: 'load-logout-context', logoutId: 'l1' });
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
    expect(still.effects).toEqual([{ type: 'sign-out' }]);
  });

  test('after a sign-out the frame keeps the application’s settings and the user is removed', () => {
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

  test('a stored notice is shown after the initialisation', () => {
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
  test('without an identity service address the site is requested, even with a default site', () => {
    const context = contextWith({ identityServiceUrl: undefined, defaultSite: 'harbor' });
    expect(play([started, { type: 'CONTEXT_LOADED', context }]).state.page).toBe('site-entry');
  });

  test('a known site is selected without a request', () => {
    const { state, effects } = play([
      started,
      { type: 'CONTEXT_LOADED', context: contextWith({ defaultSite: 'harbor' }) },
    ]);
    expect(state.page).toBeUndefined();
    expect(effects).toContainEqual({ type: 'load-site-settings', site: 'harbor' });
  });

  test('an expired session shows a permanent notification', () => {
    const session = { state: 'expired', authSite: undefined, isExternallyAuthenticated: false } as const;
    const { state } = play([started, { type: 'CONTEXT_LOADED', context: contextWith({ session }) }]);
    expect(state.notifications).toMatchObject([
      { level: 'info', messageKey: 'error.unauthorized', durationMs: 0 },
    ]);
  });

  test('a stored notice replaces the notification of an expired session', () => {
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

  test('switching the tenant forgets the site and asks for another site', () => {
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

describe('after the site settings', () => {
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
    ['else credentials', {}, 'credentials'],
  ] as const)('%s', (_, more, page) => {
    const { state, effects } = play(toCredentials(more));
    const rules = effects.find((effect) => effect.type === 'load-password-policy');
    // A password-change page appears only once the password rules have loaded.
    const after = rules
      ? play([{ type: 'POLICY_LOADED', policy: undefined, page: rules.page }], state).state
      : state;
    expect(after.page).toBe(page);
  });

  test('a user of an external provider confirms with a password if the site allows it, and otherwise at the provider with ForceAuthentication', () => {
    const session = { ...validSession, isExternallyAuthenticated: true };
    const context = { promptMethod: 'elevate', session, userName: 'ada' } as const;
    expect(play(toCredentials(context)).state.page).toBe('credentials');
    const lookedUp = play(toCredentials(context, false));
    expect(lookedUp.effects.at(-1)).toMatchObject({ type: 'load-user-settings', usernameOrEmail: 'ada' });
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

  test('without password entry a known user is looked up first', () => {
    const { state, effects } = play(toCredentials({ userName: 'ada' }, false));
    expect(state.page).toBeUndefined();
    expect(effects).toContainEqual({ type: 'load-user-settings', usernameOrEmail: 'ada', site: 'harbor' });
  });

  test('without password and user-name entry the page goes to the external provider at once', () => {
    const { effects } = play(toCredentials({ allowUserNameEntry: false }, false));
    expect(effects).toContainEqual({ type: 'leave-to-external', site: 'harbor', forceAuthentication: false });
  });
});

describe('signed out', () => {
  const unauthorised = { type: 'CALL_FAILED', failure: { kind: 'unauthorised', status: 401 } } as const;

  test('a 401 shows a notification, keeps ReturnUrl and restarts the login', () => {
    const { state, effects } = play([...toCredentials(), unauthorised]);
    expect(state.notifications).toMatchObject([
      { level: 'info', messageKey: 'error.unauthorized', durationMs: 0 },
    ]);
    expect(effects.slice(-1)).toEqual([{ type: 'load-auth-context' }]);
    expect(effects).toContainEqual({ type: 'show-address', address: 'account/login' });
  });

  test('a service that becomes unreachable during the restart ends on the error page', () => {
    const unreachable = { type: 'CALL_FAILED', failure: { kind: 'unreachable' } } as const;
    const { state } = play([...toCredentials(), unauthorised, ...toCredentials().slice(1, 2), unreachable]);
    expect(state).toMatchObject({ initialisation: 'INITIALIZED', page: 'error' });
    expect(state.notifications).toMatchObject([{}, { messageKey: 'error.serverUnreachable' }]);
  });

  test('a second 401 without a visitor action in between ends on the error page', () => {
    const { state } = play([...toCredentials(), unauthorised, ...toCredentials().slice(1), unauthorised]);
    expect(state.page).toBe('error');
  });
});
