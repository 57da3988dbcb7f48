// @vitest-environment happy-dom
import { calls } from '@anteroom/contract';
import type { Call } from '@anteroom/contract';
import { accountCalls } from '@anteroom/contract/account';
import { recoveryCalls } from '@anteroom/contract/recovery';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { contextWith } from '../flow/testing.ts';
import { openCorrelation } from './correlation.ts';
import { sendCall } from './send-call.ts';

/** Calls whose answer has at least one required member. For calls without one, an empty list is also valid. */
const answered = Object.values(calls).filter(
  (call) => 'answer' in call && !['/ui/config.json', '/api/ui/error-message'].includes(call.path),
);

describe.each([
  ["a proxy's error page", '<!doctype html><title>proxy</title>'],
  ['a list', '[]'],
  ['null', 'null'],
  ['an unknown status', '{"status":"unheard_of"}'],
])('%s', (_what, body) => {
  test.each(answered)('as the answer to $method $path is an unexpected error', async (call) => {
    const begun = Promise.resolve(new Response(body));
    const environment = { correlation: openCorrelation(), locale: 'en', base: 'https://id.example', begun };
    expect(await sendCall(call, {}, environment)).toMatchObject({
      ok: false,
      failure: { kind: 'unexpected', status: 200 },
    });
  });
});

describe('an unsafe address in an answer [7.12, S10]', () => {
  const logout = { requiresConfirmation: false, showCancelButton: false };
  const account = {
    userName: 'ada',
    name: 'Ada',
    sites: [],
    companies: [],
    sessions: [],
    rememberedComputers: 0,
  };
  const answers: readonly [string, Call, Record<string, unknown>][] = [
    ['identityServiceUrl', calls.getSiteExistence, { siteExists: true }],
    ['forgotPasswordUrl', calls.getSiteExistence, { siteExists: true }],
    ['cancelRedirectUri', calls.getAuthContext, contextWith({})],
    ['originalClientUri', calls.getRefreshContext, contextWith({})],
    ['finishedLocation', calls.getAuthContext, contextWith({})],
    ['siteRecoveryClientUri', calls.getAuthContext, contextWith({})],
    ['postLogoutRedirectUri', calls.getLogoutContext, logout],
    ['signOutIFrameUrl', calls.getLogoutContext, logout],
    ['authSiteIdentityBaseUri', calls.authenticate, { status: 'redirect' }],
    ['signInUrl', recoveryCalls.getRecoveryContext, { linkValidityInMinutes: 30 }],
    ['backUri', accountCalls.getAccount, account],
  ];

  async function read(call: Call, body: unknown, isBegun: boolean): Promise<unknown> {
    const response = Promise.resolve(Response.json(body));
    vi.stubGlobal('fetch', () => response);
    const environment = { correlation: openCorrelation(), locale: 'en', base: '' };
    return sendCall(call, {}, isBegun ? { ...environment, begun: response } : environment);
  }

  afterEach(() => vi.unstubAllGlobals());

  test.each(answers)('%s is removed, and a safe one stays', async (member, call, body) => {
    for (const isBegun of [false, true]) {
      for (const unsafe of ['javascript:alert(1)', '//evil.example/', ''])
        expect(await read(call, { ...body, [member]: unsafe }, isBegun)).not.toHaveProperty([
          'answer',
          member,
        ]);
      expect(await read(call, { ...body, [member]: '/path' }, isBegun)).toHaveProperty(
        ['answer', member],
        '/path',
      );
    }
  });
});

test('there are at least 13 such calls', () => expect(answered.length).toBeGreaterThanOrEqual(13));

describe('a call without an answer', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test.each(Object.values(calls))('$method $path counts as unreachable after its timeout', async (call) => {
    vi.useFakeTimers();
    const stalled = (_address: string, { signal }: RequestInit): Promise<Response> =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    vi.stubGlobal('fetch', stalled);
    const environment = { correlation: openCorrelation(), locale: 'en', base: '' };
    const settled = vi.fn<() => void>();
    const result = sendCall(call, {}, environment).finally(settled);
    const ms = call.method === 'GET' ? 15_000 : 10_000;
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
  });
});
