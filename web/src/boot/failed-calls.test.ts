// @vitest-environment happy-dom
import { calls } from '@anteroom/contract';
import type { Call, CallAnswer, CallName } from '@anteroom/contract';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { createClient } from '../api/client.ts';
import { openCorrelation } from '../api/correlation.ts';
import type { FlowEvent } from '../flow/events.ts';
import type { Arrival, FlowState, Page } from '../flow/model.ts';
import { createFlow } from '../flow/store.ts';
import { contextWith } from '../flow/testing.ts';
import { loadConfig } from './load-config.ts';
import { createEffectRunner } from './run-effects.ts';

// Tests how the flow, its effects and the client handle the failure of each call. The classification of failures is
// tested in `api/failures.test.ts` and `api/client.test.ts`; the journeys provoke some failures in a browser.

type Context = CallAnswer<'getAuthContext'>;

const returnUrl = '/connect/authorize/one';
const context: Context = contextWith({ identityServiceUrl: location.origin, defaultSite: 'acme' });
const signedIn: Context = {
  ...context,
  userName: 'ada',
  session: { state: 'valid', authSite: 'acme', isExternallyAuthenticated: false },
};
const choosing: Context = { ...signedIn, selectSite: true };
const acme = {
  name: 'acme',
  displayName: 'Acme',
  sequence: 1,
  areEntitlementRequirementsMet: true,
  mfaRequirementMet: true,
};

type Answers = { [TName in CallName]?: CallAnswer<TName> };
/** A service at which every call succeeds. */
const answers: Answers = {
  getAuthContext: context,
  getRefreshContext: choosing,
  getSiteExistence: { siteExists: true },
  getSiteSettings: { allowPasswordEntry: true },
  getUserSettings: { shouldRedirectToExternalAuth: false },
  authenticate: { status: 'redirect' },
  passwordPolicy: { policyLines: [] },
  getSites: {
    sites: [acme],
    userFirstName: 'Ada',
    userLastName: 'L',
    boardsUserName: 'ada',
    directorToDoItemsEnabled: true,
  },
  getLogoutContext: { requiresConfirmation: false, showCancelButton: false },
};

type Respond = () => Response;
const failWith =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): Respond =>
  () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
const cut: Respond = () => {
  throw new TypeError('the connection is cut');
};

let script: Answers;
let failing: { call: CallName; respond: Respond; times: number } | undefined;
let sent: { call: CallName; address: string }[];
let left: MockInstance<(address: string | URL) => void>;

function callOf(address: string, method: string): CallName {
  const { pathname } = new URL(address, location.href);
  const isCall = ([, call]: [string, Call]): boolean =>
    call.method === method && new RegExp(`^${call.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname);
  const found = Object.entries<Call>(calls).find(isCall);
  if (!found) throw new Error(`${method} ${pathname} is no call`);
  return found[0] as CallName;
}

// The chunks load in real time.
beforeAll(async () => {
  await Promise.all([import('./site-list-effects.ts'), import('./find-lost-answer.ts')]);
});

beforeEach(() => {
  script = { ...answers };
  failing = undefined;
  sent = [];
  left = vi.spyOn(location, 'assign').mockImplementation(() => {});
  history.replaceState(null, '', `/ui/account/login?${new URLSearchParams({ ReturnUrl: returnUrl })}`);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit = {}) => {
    const call = callOf(address, method);
    sent.push({ call, address });
    if (failing?.call === call && failing.times-- > 0) return failing.respond();
    const answer = script[call];
    return new Response(answer === undefined ? null : JSON.stringify(answer), {
      status: answer === undefined ? 204 : 200,
    });
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Visit {
  state: () => FlowState;
  /** Every notification so far; most close after a while. */
  notified: () => FlowState['notifications'];
  asked: (call: CallName) => string[];
}

/** Sends the events in order. Waits after each until no call is in flight. */
async function visit(events: readonly FlowEvent[], arrival: Partial<Arrival> = {}): Promise<Visit> {
  const notified = new Map<number, FlowState['notifications'][number]>();
  const environment = {
    correlation: openCorrelation(),
    locale: () => 'en',
    baseAddress: () => flow.store.getState().baseAddress,
    extensions: () => undefined,
  };
  const api = createClient(calls, environment);
  const flow = createFlow(
    { entry: { kind: 'login' }, returnUrl, ...arrival },
    createEffectRunner(api, environment),
  );
  flow.store.subscribe(({ notifications }) => {
    for (const one of notifications) notified.set(one.id, one);
  });
  void loadConfig(api, (config) => flow.send({ type: 'CONFIG_LOADED', config }));
  for (const event of [{ type: 'STARTED' } as const, ...events]) {
    flow.send(event);
    await settle();
  }
  return {
    state: flow.store.getState,
    notified: () => [...notified.values()],
    asked: (name) => sent.filter(({ call }) => call === name).map(({ address }) => address),
  };
}

/** Longer than all retries of a read. */
async function settle(): Promise<void> {
  for (let round = 0; round < 14; round++) {
    await vi.advanceTimersByTimeAsync(4100);
    await new Promise(setImmediate);
  }
}

/** How a visitor triggers a call. */
interface FlowCall {
  call: CallName;
  events: readonly FlowEvent[];
  script?: Answers;
  arrival?: Partial<Arrival>;
  /** The form that the visitor submits; it stays open after a failure that the contract handles. */
  form?: Page;
}

const signIn: FlowEvent = { type: 'SIGN_IN', userName: 'ada', password: 'secret' };
const toSecondFactor: Answers = { authenticate: { status: 'second_factor_required' } };

/** Every call whose failure the flow handles, which excludes calls that the page makes by itself. */
const flowCalls: readonly FlowCall[] = [
  {
    call: 'getSiteExistence',
    script: { getAuthContext: { ...context, identityServiceUrl: null } },
    events: [{ type: 'SITE_ENTERED', site: 'acme' }],
    form: 'site-entry',
  },
  { call: 'getSiteSettings', events: [] },
  { call: 'getLogoutContext', arrival: { entry: { kind: 'logout', logoutId: 'lo-1' } }, events: [] },
  {
    call: 'getUserSettings',
    script: { getSiteSettings: { allowPasswordEntry: false } },
    events: [{ type: 'USER_NAME_ENTERED', usernameOrEmail: 'ada' }],
    form: 'credentials',
  },
  { call: 'authenticate', events: [signIn], form: 'credentials' },
  {
    call: 'verifyMfaCode',
    script: toSecondFactor,
    events: [signIn, { type: 'CODE_ENTERED', code: '123456', publicComputerSignIn: false }],
    form: 'second-factor-required',
  },
  {
    call: 'resendMfaCode',
    script: toSecondFactor,
    events: [signIn, { type: 'RESEND_CODE' }],
    form: 'second-factor-required',
  },
  {
    call: 'getRefreshContext',
    script: { authenticate: { status: 'select_site_required' } },
    events: [signIn],
  },
  {
    call: 'passwordPolicy',
    script: { authenticate: { status: 'password_reset_required' } },
    events: [signIn],
  },
  {
    call: 'passwordReset',
    script: { getAuthContext: { ...signedIn, promptMethod: 'change_password' } },
    events: [
      { type: 'RESET_PASSWORD', currentPassword: 'x', newPassword: 'x', newPasswordConfirmation: 'x' },
    ],
    form: 'password-reset-voluntary',
  },
  { call: 'getSites', script: { getAuthContext: choosing }, events: [] },
  {
    call: 'selectSite',
    script: { getAuthContext: choosing },
    events: [{ type: 'SELECT_SITE', site: 'acme' }],
    form: 'select-site',
  },
  { call: 'getPostLoginRedirect', events: [signIn] },
  {
    call: 'signOut',
    script: { getAuthContext: choosing },
    events: [{ type: 'SIGN_OUT' }],
    form: 'select-site',
  },
];
const forms = flowCalls.flatMap((one) => (one.form ? [{ ...one, form: one.form }] : []));

async function failAt(
  { call, events, arrival, script: more }: FlowCall,
  respond: Respond,
  times = Infinity,
): Promise<Visit> {
  script = { ...answers, ...more };
  failing = { call, respond, times };
  const visited = await visit(events, arrival);
  expect(visited.asked(call).length).toBeGreaterThanOrEqual(1);
  return visited;
}

describe.each(flowCalls)('$call', (flowCall) => {
  const { call } = flowCall;

  test.each([
    ['forbidden', 403],
    ['csrf_failed', 403],
    ['validation_failed', 422],
    ['not_implemented', 501],
  ])('%s %i ends on the error page [8.2, 8.3]', async (code, status) => {
    const { state } = await failAt(flowCall, failWith(status, { code }));
    expect(state()).toMatchObject({ page: 'error', loading: false });
  });

  test('an unreachable service is reported, and nothing hangs [8.4, F13]', async () => {
    const { state, notified } = await failAt(flowCall, cut);
    // A slow read is reported again after the notification has closed.
    expect(notified()[0]?.level).toBe('error');
    expect(new Set(notified().map(({ messageKey }) => messageKey))).toEqual(
      new Set(['error.serverUnreachable']),
    );
    expect(state().loading).toBe(false);
    expect(state().initialisation).toBe('INITIALIZED');
    if (flowCall.form) expect(state().page).toBe(flowCall.form);
  });

  test('a 401 without a known code opens the login page with ReturnUrl and the reason [4.30, 8.1]', async () => {
    const { state, notified, asked } = await failAt(flowCall, failWith(401, { code: 'unauthorized' }), 1);
    expect(notified()).toMatchObject([{ level: 'info', messageKey: 'error.unauthorized', durationMs: 0 }]);
    expect(state().page).not.toBe('error');
    expect(location.pathname).toBe('/ui/account/login');
    expect(new URLSearchParams(location.search).get('ReturnUrl')).toBe(returnUrl);
    // A sign-out does not load the context of a sign-in.
    const contexts = asked('getAuthContext');
    expect(contexts.length).toBeGreaterThanOrEqual(call === 'getLogoutContext' ? 1 : 2);
    expect(new URL(contexts.at(-1) ?? '', location.href).searchParams.get('returnUrl')).toBe(returnUrl);
  });
});

describe.each(flowCalls.filter(({ call }) => 'answer' in calls[call]))('$call', (flowCall) => {
  test.each(['<!doctype html><title>proxy</title>', '[]', 'null', '{"status":"unheard_of"}'])(
    'the unreadable answer %s is an unexpected error [8.6]',
    async (body) => {
      const { state } = await failAt(flowCall, failWith(200, body));
      expect(state().page).toBe('error');
    },
  );
});

describe.each(forms)('the form $form of $call', (flowCall) => {
  test.each([
    ['validation_failed', 400],
    ['rate_limit_reached', 429],
    ['internal_error', 500],
  ])('handles %s %i and stays usable [8.5]', async (code, status) => {
    const { state } = await failAt(flowCall, failWith(status, { code }));
    expect(state()).toMatchObject({ page: flowCall.form, loading: false });
  });

  test.each([
    [400, ''],
    [400, '{"code":7}'],
    [500, '<html>bad gateway</html>'],
  ])('a %i with the body “%s” ends on the error page [8.5]', async (status, body) => {
    const { state } = await failAt(flowCall, failWith(status, body));
    expect(state().page).toBe('error');
  });

  test('a 503 overloaded with Retry-After states the wait, or ends on the error page at site entry [8.5]', async () => {
    const { state, notified } = await failAt(
      flowCall,
      failWith(503, { code: 'overloaded' }, { 'Retry-After': '150' }),
    );
    expect(state().loading).toBe(false);
    expect(state().page).toBe(flowCall.form === 'site-entry' ? 'error' : flowCall.form);
    if (flowCall.form === 'site-entry') return;
    const { mfaSmsResendTimeout } = state().secondFactor.messages.sms;
    if (flowCall.call === 'resendMfaCode') expect(mfaSmsResendTimeout).toBeGreaterThan(Date.now());
    else expect(notified()).toMatchObject([{ messageKey: 'error.busy', messageParameters: { count: 3 } }]);
  });
});

/** A call whose 401 does not open the login page (wire contract, "decided (2026-11-22)"), and the page that opens. */
const exceptions: readonly (FlowCall & { page: Page })[] = [
  { call: 'getAuthContext', events: [], page: 'error' },
  { call: 'getConfig', events: [], page: 'credentials' },
  {
    call: 'getErrorMessage',
    arrival: { entry: { kind: 'error', errorId: 'e-1' } },
    events: [],
    page: 'error',
  },
  // Called by the site list.
  {
    call: 'getLogoutContext',
    script: { getAuthContext: choosing },
    events: [{ type: 'SIGN_OUT' }],
    page: 'logged-out',
  },
  {
    call: 'getSiteTodo',
    script: { getAuthContext: choosing },
    events: [{ type: 'TODOS_WANTED', sites: ['acme'] }],
    page: 'select-site',
  },
  { call: 'postMetrics', events: [{ type: 'TEXT_MISSING', what: 'a text' }], page: 'credentials' },
  {
    call: 'getRetry',
    script: { getAuthContext: choosing },
    events: [{ type: 'TIMER_FIRED', timer: 'retry-check' }],
    page: 'select-site',
  },
];

test.each(exceptions)(
  'a 401 of $call does not open the login page but $page [8.1]',
  async ({ page, ...one }) => {
    const { state, notified, asked } = await failAt(one, failWith(401, { code: 'unauthorized' }));
    expect(state()).toMatchObject({ page, loading: false });
    expect(notified()).toEqual([]);
    expect(asked('getAuthContext').length).toBeLessThanOrEqual(1);
  },
);

test('a call refused as an unknown sign-in ends on the error page if the context still has the sign-in [F13]', async () => {
  const { state, asked } = await failAt(
    { call: 'authenticate', events: [signIn] },
    failWith(404, { code: 'not_found' }),
  );
  expect([state().page, asked('getAuthContext').length]).toEqual(['error', 2]);
});

test.each(['javascript:alert(1)', '//evil.example/', '/\t/evil.example/', 'data:text/html,x'])(
  'the unsafe location %j is not followed, and the error page opens [7.12, S02]',
  async (unsafe) => {
    script = {
      ...answers,
      getAuthContext: choosing,
      selectSite: { status: 'redirect', location: unsafe },
    };
    const { state } = await visit([{ type: 'SELECT_SITE', site: 'acme' }]);
    expect(state().page).toBe('error');
    expect(left).not.toHaveBeenCalled();
  },
);

test('the steps of a sign-in neither add to the history nor change the address [2.20]', async () => {
  const added = vi.spyOn(history, 'pushState');
  script = { ...answers, ...toSecondFactor, getAuthContext: { ...context, identityServiceUrl: null } };
  const address = location.href;
  const { state } = await visit([{ type: 'SITE_ENTERED', site: 'acme' }, signIn]);
  expect([state().page, location.href]).toEqual(['second-factor-required', address]);
  expect(added).not.toHaveBeenCalled();
});

test.each<Respond>([
  failWith(403, { code: 'forbidden' }),
  failWith(404, { code: 'not_found' }),
  failWith(500, { code: 'internal_error' }),
  failWith(200, '{"pendingVoteCount":"many"}'),
  cut,
])('a failure of a site’s to-dos is shown at that site only (%#) [4.26, 8.2]', async (respond) => {
  const { state, notified } = await failAt(
    {
      call: 'getSiteTodo',
      script: { getAuthContext: choosing },
      events: [{ type: 'TODOS_WANTED', sites: ['acme'] }],
    },
    respond,
  );
  expect(state()).toMatchObject({ page: 'select-site', todos: { acme: { toDosApiStatus: 'Error' } } });
  expect(notified()).toEqual([]);
});

test('each call of the page has a rule here [8.1]', () => {
  // These calls are navigations, or this front end does not make them.
  const others: CallName[] = [
    'getExternalRedirect',
    'getSamlSso',
    'getSamlMetadata',
    'postSiteSettings',
    'postUserSettings',
  ];
  const ruled = new Set([...flowCalls, ...exceptions].map(({ call }) => call));
  expect([...ruled, ...others].toSorted()).toEqual(Object.keys(calls).toSorted());
});

describe('the context', () => {
  test.each([
    [401, '{"code":"unauthorized"}'],
    [401, '{"code":"invalid_credentials"}'],
    [403, '{"code":"forbidden"}'],
    [429, '{"code":"rate_limit_reached"}'],
    [400, '{"code":"validation_failed"}'],
    [200, '<html>'],
    [200, '{}'],
    [200, '{"session":7}'],
  ])('a %i with the body %s ends on the error page [6.5]', async (status, body) => {
    const { state } = await failAt({ call: 'getAuthContext', events: [] }, failWith(status, body));
    expect(state().page).toBe('error');
  });
});

describe.each(['getAuthContext', 'getSiteSettings'] as const)('the read %s', (call) => {
  const overloaded = failWith(503, { code: 'overloaded' });

  test('is retried after a 5xx, and then succeeds [9.8]', async () => {
    const { state, asked } = await failAt({ call, events: [] }, overloaded, 4);
    expect([state().page, asked(call).length]).toEqual(['credentials', 5]);
  });

  test('is retried up to ten times [9.8]', async () => {
    const { state, asked } = await failAt({ call, events: [] }, overloaded);
    expect([state().page, asked(call).length]).toEqual(['error', 11]);
  });
});

test.each(flowCalls.filter(({ call }) => calls[call].method === 'POST'))(
  '$call changes state and is not retried [9.8]',
  async (flowCall) => {
    const { asked } = await failAt(flowCall, cut);
    expect(asked(flowCall.call)).toHaveLength(1);
  },
);

describe.each(['getConfig', 'postMetrics', 'getRetry'] as const)(
  'a failure of %s has no effect [3.12, 7.9]',
  (call) => {
    test.each([
      ['401', failWith(401, { code: 'unauthorized' })],
      ['403', failWith(403, { code: 'forbidden' })],
      ['500', failWith(500, { code: 'internal_error' })],
      ['a cut connection', cut],
      ['an unreadable answer', failWith(200, '<html>')],
    ])('%s', async (_, respond) => {
      const { state, notified } = await failAt(
        {
          call,
          script: { getAuthContext: choosing, selectSite: { status: 'redirect', location: '/arrived' } },
          events: [
            { type: 'TEXT_MISSING', what: 'a text' },
            { type: 'TIMER_FIRED', timer: 'retry-check' },
            { type: 'SELECT_SITE', site: 'acme' },
          ],
        },
        respond,
      );
      expect(left).toHaveBeenLastCalledWith(`${location.origin}/arrived`);
      expect([state().page, notified()]).toEqual(['select-site', []]);
    });
  },
);
