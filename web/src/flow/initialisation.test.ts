import { describe, expect, test } from 'vitest';
import { contextWith, play, toCredentials, validSession } from './testing.ts';

const started = { type: 'STARTED' } as const;
const refused = { kind: 'unexpected', status: 404 } as const;

describe('initialisation', () => {
  test('the login waits for the context before it shows a page', () => {
    const { state, effects } = play([started]);
    expect(state).toMatchObject({ initialisation: 'INITIALIZING', page: undefined });
    expect(effects).toEqual([{ type: 'load-auth-context' }]);
  });

  test('a context that cannot be had ends the initialisation on the error page', () => {
    const { state } = play([started, { type: 'CONTEXT_FAILED', failure: refused }]);
    expect(state).toMatchObject({ initialisation: 'INITIALIZED', page: 'error' });
  });

  test('on the error page the notification of an unreachable service stays, though one with a time was shown before', () => {
    const failure = { kind: 'unreachable' } as const;
    const { state, effects } = play([started, { type: 'CONTEXT_SLOW' }, { type: 'CONTEXT_FAILED', failure }]);
    expect(state.notifications).toMatchObject([{ messageKey: 'error.serverUnreachable', durationMs: 0 }]);
    expect(effects).toContainEqual({ type: 'stop-timer', timer: 'notification-1' });
  });

  test('a sign-in that needs nothing more is left at once, without a page and without a way back to it', () => {
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
    ['address', undefined, {}],
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

  test('a 401 of the context itself ends on the error page and does not go round', () => {
    const failure = { kind: 'unauthorised', status: 401 } as const;
    expect(play([started, { type: 'CONTEXT_FAILED', failure }]).state.page).toBe('error');
  });

  test('a 401 of the logout’s context tells it and goes to the login, as of any other call', () => {
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
    // the login's own context behind it is the end
    expect(play([{ type: 'CONTEXT_FAILED', failure }], state).state.page).toBe('error');
  });

  test('a logout that needs a confirmation is initialised, one that does not stays initialising until it is done', () => {
    const asked = {
      requiresConfirmation: true,
      showCancelButton: true,
      postLogoutRedirectUri: undefined,
      signOutIFrameUrl: undefined,
    };
    const arrival = { entry: { kind: 'logout', logoutId: 'l1' } } as const;
    expect(play([started, { type: 'LOGOUT_CONTEXT_LOADED', context: asked }], arrival).state).toMatchObject({
      initialisation: 'INITIALIZED',
      page: 'logout',
    });
    const direct = play(
      [started, { type: 'LOGOUT_CONTEXT_LOADED', context: { ...asked, requiresConfirmation: false } }],
      arrival,
    );
    expect(direct.state).toMatchObject({ initialisation: 'INITIALIZING', page: undefined });
    expect(direct.effects).toContainEqual({ type: 'sign-out' });
    expect(play([{ type: 'SIGNED_OUT' }], direct.state).state).toMatchObject({
      initialisation: 'INITIALIZED',
      page: 'logged-out',
    });
  });

  test('a page of a sign-out that the browser kept asks for its context again', () => {
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
    // the visitor has signed in again meanwhile
    const asked = {
      type: 'LOGOUT_CONTEXT_LOADED',
      context: { ...open, requiresConfirmation: true },
    } as const;
    expect(play([asked], restored.state)).toMatchObject({
      state: { page: 'logout', loading: false },
      effects: [{ type: 'show-address', address: 'account/logout' }],
    });
    const still = play([{ type: 'LOGOUT_CONTEXT_LOADED', context: open }], restored.state);
    expect(still.effects).toEqual([{ type: 'sign-out' }]);
  });

  test('after a sign-out the frame stays as the application asked for it, and the user is gone', () => {
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

  test('a stored notice waits for the end of the initialisation', () => {
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
  test('without an identity service address the site is asked for, even when a default site is named', () => {
    const context = contextWith({ identityServiceUrl: undefined, defaultSite: 'harbor' });
    expect(play([started, { type: 'CONTEXT_LOADED', context }]).state.page).toBe('site-entry');
  });

  test('a known site is selected without asking', () => {
    const { state, effects } = play([
      started,
      { type: 'CONTEXT_LOADED', context: contextWith({ defaultSite: 'harbor' }) },
    ]);
    expect(state.page).toBeUndefined();
    expect(effects).toContainEqual({ type: 'load-site-settings', site: 'harbor' });
  });

  test('an expired session is told permanently', () => {
    const session = { state: 'expired', authSite: undefined, isExternallyAuthenticated: false } as const;
    const { state } = play([started, { type: 'CONTEXT_LOADED', context: contextWith({ session }) }]);
    expect(state.notifications).toMatchObject([
      { level: 'info', messageKey: 'error.unauthorized', durationMs: 0 },
    ]);
  });

  test('a stored notice is shown instead of the expired session', () => {
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
    // it may be found a moment later, when its words are there
    const [found, ...before] = events;
    expect(play([...before, found]).state.notifications.map(({ messageKey }) => messageKey)).toEqual([
      'passwordChange.done',
    ]);
  });

  test('switching the tenant forgets the site and asks for another', () => {
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

describe('what follows the site settings', () => {
  test.each([
    [
      'a voluntary change first',
      { promptMethod: 'change_password', userName: 'dana.rivers', selectSite: true, session: validSession },
      'password-reset-voluntary',
    ],
    ['no change of an unknown person’s password', { promptMethod: 'change_password' }, 'credentials'],
    [
      'then the site selection that is flagged',
      { selectSite: true, promptMethod: 'elevate', session: validSession },
      'select-site',
    ],
    [
      'site selection for a valid session without a site',
      { session: { ...validSession, authSite: undefined } },
      'select-site',
    ],
    [
      'site selection to switch the site',
      { promptMethod: 'switch_site', session: validSession },
      'select-site',
    ],
    ['then elevate, for a valid session', { promptMethod: 'elevate', session: validSession }, 'elevate'],
    ['credentials when the session to elevate is not valid', { promptMethod: 'elevate' }, 'credentials'],
    ['else credentials', {}, 'credentials'],
  ] as const)('%s', (_, more, page) => {
    const { state, effects } = play(toCredentials(more));
    const rules = effects.find((effect) => effect.type === 'load-password-policy');
    // the page of a change of password comes with its rules
    const after = rules
      ? play([{ type: 'POLICY_LOADED', policy: undefined, page: rules.page }], state).state
      : state;
    expect(after.page).toBe(page);
  });

  test('someone from an external provider confirms with a password where the site allows one, else there, with ForceAuthentication', () => {
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

  test('where no password may be entered a known user is looked up first', () => {
    const { state, effects } = play(toCredentials({ userName: 'ada' }, false));
    expect(state.page).toBeUndefined();
    expect(effects).toContainEqual({ type: 'load-user-settings', usernameOrEmail: 'ada', site: 'harbor' });
  });

  test('where neither name nor password may be entered the site hands over at once', () => {
    const { effects } = play(toCredentials({ allowUserNameEntry: false }, false));
    expect(effects).toContainEqual({ type: 'leave-to-external', site: 'harbor', forceAuthentication: false });
  });
});

describe('signed out', () => {
  const unauthorised = { type: 'CALL_FAILED', failure: { kind: 'unauthorised', status: 401 } } as const;

  test('a 401 tells it, keeps ReturnUrl and begins the login again', () => {
    const { state, effects } = play([...toCredentials(), unauthorised]);
    expect(state.notifications).toMatchObject([
      { level: 'info', messageKey: 'error.unauthorized', durationMs: 0 },
    ]);
    expect(effects.slice(-1)).toEqual([{ type: 'load-auth-context' }]);
    expect(effects).toContainEqual({ type: 'show-address', address: 'account/login' });
  });

  test('a service that goes away while the login begins again ends on the error page, not on a step without a context', () => {
    const unreachable = { type: 'CALL_FAILED', failure: { kind: 'unreachable' } } as const;
    const { state } = play([...toCredentials(), unauthorised, ...toCredentials().slice(1, 2), unreachable]);
    expect(state).toMatchObject({ initialisation: 'INITIALIZED', page: 'error' });
    expect(state.notifications).toMatchObject([{}, { messageKey: 'error.serverUnreachable' }]);
  });

  test('a second 401 without an action of the visitor in between ends on the error page', () => {
    const { state } = play([...toCredentials(), unauthorised, ...toCredentials().slice(1), unauthorised]);
    expect(state.page).toBe('error');
  });
});
