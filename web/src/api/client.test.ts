// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { calls } from '@anteroom/contract';
import { createClient } from './client.ts';
import type { Api } from './client.ts';
import { openCorrelation } from './correlation.ts';

interface Sent {
  address: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  keepalive: boolean | undefined;
}

let sent: Sent[];
let base = '';
let listed: string[] | undefined;
let answers: (() => Response | Promise<Response>)[];

function createApi(): Api {
  return createClient(calls, {
    correlation: openCorrelation(),
    locale: () => 'de',
    baseAddress: () => base,
    extensions: () => listed,
  });
}

const json = (body: unknown, init?: ResponseInit) => (): Response => new Response(JSON.stringify(body), init);
const policy = { policyLines: [] };

beforeEach(() => {
  sent = [];
  base = '';
  listed = undefined;
  answers = [];
  document.cookie = 'XSRF-TOKEN=first%2Fvalue';
  vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
    sent.push({
      address,
      method: init.method ?? 'GET',
      headers: { ...(init.headers as Record<string, string>) },
      body: init.body as string | undefined,
      keepalive: init.keepalive,
    });
    const answer = answers.shift() ?? json({});
    return Promise.resolve().then(answer);
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('every call', () => {
  test('carries the headers of the contract, with a counter that starts at 1 [3.11, 7.1]', async () => {
    const api = createApi();
    answers = [json({ retry: false }), json({ retry: false })];
    await api.call('getRetry', {});
    await api.call('getRetry', {});
    expect(sent[0]?.headers).toMatchObject({
      Accept: 'application/json',
      'Accept-Language': 'de',
      'Conforming-Errors': 'true',
    });
    const id = sent[0]?.headers['CorrelationId'];
    expect(id).toMatch(/^\d+(-\d+){3}$/);
    expect(sent.map(({ headers }) => headers['X-Correlation-Id'])).toEqual([`${id}.1`, `${id}.2`]);
    expect(document.cookie).toContain(`anteroom_correlation=${id}`);
  });

  test('sends the current anti-forgery token, only with state-changing calls to its own origin [5.8, 7.2]', async () => {
    const api = createApi();
    answers = [json(policy), json(policy), json(policy), json({ retry: true })];
    await api.call('passwordPolicy', { body: {} });
    document.cookie = 'XSRF-TOKEN=second';
    await api.call('passwordPolicy', { body: {} });
    base = 'https://eu.id.example/';
    await api.call('passwordPolicy', { body: {} });
    await api.call('getRetry', {});
    expect(sent.map(({ headers }) => headers['X-XSRF-TOKEN'])).toEqual([
      'first/value',
      'second',
      undefined,
      undefined,
    ]);
    expect(sent.map(({ address }) => address)).toEqual([
      '/api/ui/password-policy',
      '/api/ui/password-policy',
      'https://eu.id.example/api/ui/password-policy',
      'https://eu.id.example/api/ui/auth/retry',
    ]);
  });

  test('encodes path and query parameters', async () => {
    const api = createApi();
    await api.call('getSiteExistence', { params: { name: 'a b/c?d#é' } });
    await api.call('getErrorMessage', { query: { errorId: 'a&b=c' } });
    expect(sent.map(({ address }) => address)).toEqual([
      '/api/ui/sites/a%20b%2Fc%3Fd%23%C3%A9',
      '/api/ui/error-message?errorId=a%26b%3Dc',
    ]);
  });

  test('uses relative addresses for the page’s own origin [7.1]', async () => {
    for (const own of [`${location.origin}/`, location.origin.toUpperCase()]) {
      base = own;
      await createApi().call('getRetry', {});
    }
    expect(sent.map(({ address }) => address)).toEqual(['/api/ui/auth/retry', '/api/ui/auth/retry']);
  });

  test('treats an answer that does not match the schema as an unexpected error', async () => {
    answers = [json({ retry: 'perhaps' })];
    expect(await createApi().call('getRetry', {})).toMatchObject({
      ok: false,
      failure: { kind: 'unexpected' },
    });
  });
});

test('only a metrics report is sent even if the page closes', async () => {
  const api = createApi();
  answers = [() => new Response(null, { status: 204 }), json({ retry: false })];
  await api.call('postMetrics', { body: { metricData: [] } });
  await api.call('getRetry', {});
  expect(sent.map(({ keepalive }) => keepalive)).toEqual([true, false]);
});

test('names the extensions that it supports and the service lists', async () => {
  for (const extensions of [
    undefined,
    [],
    ['of-another-service'],
    ['of-another-service', 'totp', 'factors'],
  ]) {
    listed = extensions;
    await createApi().call('getRetry', {});
  }
  expect(sent.map(({ headers }) => headers['X-Anteroom-Extensions'])).toEqual([
    undefined,
    undefined,
    undefined,
    'totp,factors',
  ]);
});

describe('retries', () => {
  test('a read is retried up to ten times, with waits that grow to 4 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    answers = Array.from({ length: 11 }, () => json({ code: 'x' }, { status: 502 }));
    const triesWhenSlow: number[] = [];
    const call = createApi().call(
      'getAuthContext',
      { query: {} },
      { onSlow: () => triesWhenSlow.push(sent.length) },
    );
    await vi.advanceTimersByTimeAsync(27_749);
    expect(sent).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toMatchObject({ ok: false, failure: { status: 502 } });
    expect(sent).toHaveLength(11);
    // A service that answers with an error is reachable.
    expect(triesWhenSlow).toEqual([]);
  });

  test('the visitor is notified from the third unanswered try on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const refuse = (): Promise<never> => Promise.reject(new TypeError('no network'));
    answers = [...Array.from({ length: 5 }, () => refuse), json({ code: 'x' }, { status: 400 })];
    const triesWhenSlow: number[] = [];
    const call = createApi().call(
      'getAuthContext',
      { query: {} },
      { onSlow: () => triesWhenSlow.push(sent.length) },
    );
    await vi.advanceTimersByTimeAsync(30_000);
    await call;
    expect(triesWhenSlow).toEqual([3, 4, 5]);
  });

  test.each([
    [0, 3],
    [8, 10],
  ])(
    'all tries end after 45 s if calls hang: after %i quick failures, with %i tries [9.8]',
    async (quick, tries) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      let tried = 0;
      vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
        tried += 1;
        if (tried <= quick) return Promise.reject(new TypeError('no network'));
        return new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      });
      const settled = vi.fn<() => void>();
      const call = createApi().call('getAuthContext', { query: {} }).finally(settled);
      await vi.advanceTimersByTimeAsync(44_999);
      expect(settled).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(settled).toHaveBeenCalled();
      expect(await call).toEqual({ ok: false, failure: { kind: 'unreachable' } });
      expect(tried).toBe(tries);
    },
  );

  test('a read that its caller has aborted is not retried', async () => {
    answers = [json({ code: 'x' }, { status: 502 })];
    const given = new AbortController();
    const call = createApi().call('getAuthContext', { query: {} }, { signal: given.signal });
    given.abort();
    expect(await call).toMatchObject({ ok: false });
    expect(sent).toHaveLength(1);
  });

  test('a 4xx is not retried', async () => {
    answers = [json({ code: 'not_found' }, { status: 404 })];
    await createApi().call('getAuthContext', { query: {} });
    expect(sent).toHaveLength(1);
  });

  test('a state-changing call is not retried', async () => {
    answers = [() => Promise.reject(new TypeError('no network'))];
    expect(await createApi().call('authenticate', { body: { password: 'x' } })).toEqual({
      ok: false,
      failure: { kind: 'unreachable' },
    });
    expect(sent).toHaveLength(1);
  });
});

test('an answer in the page is used once, also for the address that changes with the time', async () => {
  const taken: string[] = [];
  const api = createClient(calls, {
    correlation: openCorrelation(),
    locale: () => 'de',
    takeAnswer: (address) => {
      taken.push(address);
      return taken.length === 1 ? Promise.resolve(Response.json({ homeUri: '/boards' })) : undefined;
    },
  });
  expect(await api.call('getConfig', { query: { t: '1234' } })).toMatchObject({
    answer: { homeUri: '/boards' },
  });
  expect(sent).toHaveLength(0);
  await api.call('getConfig', { query: { t: '5678' } });
  expect(taken).toEqual(['/ui/config.json', '/ui/config.json']);
  expect(sent.map(({ address }) => address)).toEqual(['/ui/config.json?t=5678']);
});
