// @vitest-environment happy-dom
import { calls } from '@anteroom/contract';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openCorrelation } from './correlation.ts';
import { sendCall } from './send-call.ts';

/** All but those that answer nothing, and those whose answer may lack everything: to them a list is one that does. */
const answered = Object.values(calls).filter(
  (call) => 'answer' in call && !['/ui/config.json', '/api/ui/error-message'].includes(call.path),
);

describe.each([
  ['a page of a proxy', '<!doctype html><title>proxy</title>'],
  ['a list', '[]'],
  ['nothing at all', 'null'],
  ['a status that nobody has heard of', '{"status":"unheard_of"}'],
])('%s', (_what, body) => {
  test.each(answered)('as the answer to $method $path is an unexpected error', async (call) => {
    const begun = Promise.resolve(new Response(body));
    const surroundings = { correlation: openCorrelation(), locale: 'en', base: 'https://id.example', begun };
    expect(await sendCall(call, {}, surroundings)).toMatchObject({
      ok: false,
      failure: { kind: 'unexpected', status: 200 },
    });
  });
});

test('there are such calls', () => expect(answered.length).toBeGreaterThanOrEqual(13));

describe('a call that is never answered', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test.each(Object.values(calls))('$method $path counts as unreachable after its time', async (call) => {
    vi.useFakeTimers();
    const stalled = (_address: string, { signal }: RequestInit): Promise<Response> =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    vi.stubGlobal('fetch', stalled);
    const surroundings = { correlation: openCorrelation(), locale: 'en', base: '' };
    const settled = vi.fn<() => void>();
    const result = sendCall(call, {}, surroundings).finally(settled);
    const ms = call.method === 'GET' ? 15_000 : 10_000;
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
  });
});
