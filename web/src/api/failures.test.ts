import { describe, expect, test } from 'vitest';
import { failureOf, timingOf } from './failures.ts';

async function failureFor(status: number, body: unknown, headers: Record<string, string> = {}) {
  const response = new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  return failureOf(response, timingOf(response));
}

describe('a failed call', () => {
  test.each([400, 401, 429, 500])('%i with a form error code is handled on the page', async (status) => {
    expect(await failureFor(status, { code: 'invalid_credentials', description: 'x' })).toMatchObject({
      kind: 'handled',
      status,
      code: 'invalid_credentials',
      description: 'x',
    });
  });

  test.each([
    '',
    ' ',
    '<b></b>',
    '<p>&nbsp;</p>',
    '<img src="x" alt="y">',
    '<style>p{}</style>',
    '<script>x()</script>',
  ])('has no description if it would show no text: %j', async (description) => {
    const failure = await failureFor(400, { code: 'validation_failed', description });
    expect(failure.description).toBeUndefined();
  });

  test.each(['No.', '<b>停止</b>', '<script>x()</script>Closed'])(
    'has a description with a text: %j',
    async (description) => {
      expect(await failureFor(400, { code: 'validation_failed', description })).toMatchObject({
        description,
      });
    },
  );

  test('a 401 without a known code means signed out', async () => {
    expect(await failureFor(401, { code: 'unauthorized' })).toMatchObject({ kind: 'unauthorised' });
    expect(await failureFor(401, 'no JSON')).toMatchObject({ kind: 'unauthorised' });
  });

  test.each([
    [403, { code: 'forbidden' }],
    [403, { code: 'csrf_failed' }],
    [404, { code: 'not_found' }],
    [422, { code: 'validation_failed' }],
    [501, { code: 'not_implemented' }],
    [502, { code: 'x' }],
    [500, 'no JSON'],
    [500, '<html>bad gateway</html>'],
    [400, ''],
    [400, {}],
    [400, { code: 7 }],
  ])('%i %j ends on the error page', async (status, body) => {
    expect(await failureFor(status, body)).toMatchObject({ kind: 'unexpected', status });
  });

  test('a 503 with Retry-After keeps the visitor on the page', async () => {
    expect(await failureFor(503, { code: 'overloaded' }, { 'Retry-After': '3' })).toMatchObject({
      kind: 'handled',
      retryAfterSeconds: 3,
    });
    expect(await failureFor(503, { code: 'overloaded' })).toMatchObject({ kind: 'unexpected' });
  });

  test('a 408 counts as an unreachable service, because the request did not arrive', async () => {
    expect(await failureFor(408, { code: 'request_timeout' })).toMatchObject({ kind: 'unreachable' });
  });

  test('a null description counts as absent', async () => {
    expect((await failureFor(400, { code: 'x', description: null })).description).toBeUndefined();
  });
});

describe('the timing of an answer', () => {
  test('has the time of the Date header and the seconds of Retry-After [7.6]', () => {
    const headers = { Date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'Retry-After': '83' };
    expect(timingOf(new Response(null, { headers }))).toMatchObject({
      retryAfterSeconds: 83,
      serviceTimeMs: Date.UTC(2026, 0, 1),
    });
  });

  test('ignores a Retry-After that is not a whole number of seconds', () => {
    for (const wait of ['', 'soon', '-1', '1.5', 'Thu, 01 Jan 2026 00:00:00 GMT'])
      expect(
        timingOf(new Response(null, { headers: { 'Retry-After': wait } })).retryAfterSeconds,
        wait,
      ).toBeUndefined();
  });
});
