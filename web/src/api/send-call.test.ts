// @vitest-environment happy-dom
import { calls } from '@anteroom/contract';
import { afterEach, describe, expect, test, vi } from 'vitest';
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

test('an answer contains no unsafe address', async () => {
  const body = { siteExists: true, identityServiceUrl: 'javascript:alert(1)', forgotPasswordUrl: '/forgot' };
  const begun = Promise.resolve(Response.json(body));
  const environment = { correlation: openCorrelation(), locale: 'en', base: '', begun };
  const result = await sendCall(calls.getSiteExistence, {}, environment);
  expect(result).toHaveProperty('answer', { siteExists: true, forgotPasswordUrl: '/forgot' });
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
