import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { FakeGateway } from '../../testing/fake-gateway.ts';
import { isDatabaseUnavailable } from '../store/unavailable.ts';
import { createAskPeer, PeerUnavailable } from './peer-requests.ts';

let region: FakeGateway;
beforeAll(async () => {
  region = await startFakeGateway();
});
afterAll(() => region.close());

const ask = createAskPeer({ isGuarded: false, timeoutMs: 100 });
/** Uses the default timeout, so that valid responses do not time out on a slow test machine. */
const askPatiently = createAskPeer({ isGuarded: false });
const addressOf = (path: string) => new URL(path, region.url);

describe('another region that', () => {
  test('responds receives the request (control), also by a name below localhost', async () => {
    region.behave({ status: 200, body: 'yes' });
    const { port } = new URL(region.url);
    const answer = await askPatiently(new URL(`http://eu.anteroom.localhost:${port}/regions/requests`), {
      method: 'POST',
      contentType: 'application/jwt',
      body: 'a.b.c',
    });
    expect(answer).toEqual({ status: 200, text: 'yes' });
    expect(region.requests.at(-1)).toMatchObject({
      path: '/regions/requests',
      body: 'a.b.c',
      headers: { host: `eu.anteroom.localhost:${port}`, 'content-type': 'application/jwt' },
    });
  });

  test.each([
    ['never answers', 'hang'],
    ['hangs up', 'reset'],
    ['answers without end', { status: 200, body: 'x'.repeat(100_000) }],
  ] as const)('%s counts as unavailable, and not as a failure of our database', async (_name, behaviour) => {
    region.behave(behaviour);
    const error: unknown = await ask(addressOf('/'), { method: 'GET' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PeerUnavailable);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  test('redirects is not followed', async () => {
    const before = region.requests.length;
    region.behave({ status: 302, headers: { location: addressOf('/elsewhere').href } });
    expect((await ask(addressOf('/'), { method: 'GET' })).status).toBe(302);
    expect(region.requests).toHaveLength(before + 1);
  });

  test('does not listen counts as unavailable', async () => {
    await expect(ask(new URL('http://127.0.0.1:1/'), { method: 'GET' })).rejects.toThrow(PeerUnavailable);
  });
});
