import { createPublicKey, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { FakeGateway } from '../../testing/fake-gateway.ts';
import { takeDueSignOutNotices } from './sign-out-notices-store.ts';
import { readIdToken, redeem, secretary, signIn } from '../../testing/journeys.ts';
import { obtainToken, useToken } from '../../testing/recovery.ts';
import { useApplication } from '../../testing/use-application.ts';

// OpenID Connect Back-Channel Logout 1.0: an application that has registered an address is told, server to server.

const application = useApplication();
let listener: FakeGateway;

beforeAll(async () => {
  listener = await startFakeGateway();
  const { database, clock } = application().services;
  const { metadata } = await database
    .selectFrom('clients')
    .select('metadata')
    .where('id', '=', portal.clientId)
    .executeTakeFirstOrThrow();
  await database
    .insertInto('clients')
    .values({
      id: 'listening',
      display_name: 'Listening',
      customizations: '{}',
      metadata: JSON.stringify({
        ...metadata,
        backchannel_logout_uri: `${listener.url}/signed-out`,
        backchannel_logout_session_required: true,
      }),
      created_at: clock.now(),
    })
    .execute();
});
afterAll(() => listener.close());
beforeEach(() => {
  listener.requests.length = 0;
  listener.behave({ status: 200 });
});

async function signedIn() {
  const browser = application().openBrowser();
  const started = await signIn(browser, { client_id: 'listening' });
  return { browser, claims: readIdToken(await redeem(application(), started, { client_id: 'listening' })) };
}

/** Everything that was to be told has been told, or has failed. */
const counted = async (): Promise<string> => application().services.metrics.registry.metrics();
const outcomes = async () => (await counted()).match(/^anteroom_sign_out_notices_total.*$/gm);
async function untilCounted(outcome: string, count: number): Promise<void> {
  await expect.poll(counted).toContain(`anteroom_sign_out_notices_total{outcome="${outcome}"} ${count}`);
}

const database = () => application().services.database;
/** Tells what is due now. */
async function look(): Promise<void> {
  application().openid.tellApplications();
  await application().openid.settle();
}
const waiting = async (): Promise<number> =>
  (await database().selectFrom('sign_out_notices').select('sid').execute()).length;

const decode = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

test('a sign-out is told with a signed token that names the person and the session, and nothing else', async () => {
  const { browser, claims } = await signedIn();
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  await untilCounted('told', 1);

  const [request] = listener.requests;
  expect(request?.path).toBe('/signed-out');
  expect(request?.headers['content-type']).toContain('application/x-www-form-urlencoded');
  const token = new URLSearchParams(request?.body).get('logout_token') ?? '';
  const [header, payload, signature = ''] = token.split('.');
  expect(decode(header)).toMatchObject({ alg: 'ES256', typ: 'logout+jwt' });
  expect(decode(payload)).toMatchObject({
    iss: publicUrl,
    aud: 'listening',
    sub: claims['sub'],
    sid: claims['sid'],
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  // a token that could pass for an ID token would be one (Back-Channel Logout 1.0, 2.4)
  expect(decode(payload)).not.toHaveProperty('nonce');

  const { keys } = (await browser.visit('/connect/jwks')).json() as { keys: JsonWebKey[] };
  const [jwk] = keys;
  if (jwk === undefined) throw new Error('no key to check with');
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${header}.${payload}`);
  expect(
    verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')),
  ).toBe(true);
});

test('an application that answers with an error, or leads elsewhere, keeps nobody signed in, and it is counted', async () => {
  const { browser } = await signedIn();
  listener.behave({ status: 302, headers: { location: `${listener.url}/elsewhere` } });
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  expect((await browser.call('/api/ui/sites')).status).toBe(401);
  await untilCounted('failed', 1);
  await database().deleteFrom('sign_out_notices').execute();
  expect(listener.requests.map(({ path }) => path)).toEqual(['/signed-out']);
});

test('one that never answers keeps nobody waiting', async () => {
  const { browser } = await signedIn();
  listener.behave('hang');
  const before = await outcomes();
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  // no attempt has ended by then
  expect(await outcomes()).toEqual(before);
  await expect.poll(() => listener.requests.length).toBe(1);
  await database().deleteFrom('sign_out_notices').execute();
});

test('an application that is away is told later, with growing waits, by a token that is signed anew, and then no more', async () => {
  const { clock } = application();
  const { browser, claims } = await signedIn();
  listener.behave('reset');
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  await look();
  expect(listener.requests).toHaveLength(1);
  // half a minute, then a minute, and nothing in between
  for (const [waitSeconds, tried] of [
    [29, 1],
    [1, 2],
    [59, 2],
    [1, 3],
  ] as const) {
    clock.advanceSeconds(waitSeconds);
    await look();
    expect(listener.requests).toHaveLength(tried);
  }
  listener.behave({ status: 200 });
  clock.advanceSeconds(120);
  await look();
  const tokens = listener.requests.map(({ body }) => new URLSearchParams(body).get('logout_token') ?? '');
  expect(new Set(tokens.map((token) => decode(token.split('.')[1])['jti'])).size).toBe(4);
  expect(decode(tokens.at(-1)?.split('.')[1])).toMatchObject({ sub: claims['sub'], sid: claims['sid'] });
  clock.advanceSeconds(24 * 3600);
  await look();
  expect(listener.requests).toHaveLength(4);
  expect(await waiting()).toBe(0);
});

test('a notice is given up after twelve hours, which is counted', async () => {
  const { clock } = application();
  const { browser } = await signedIn();
  listener.behave({ status: 503 });
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  await look();
  for (let hour = 0; hour < 12; hour += 1) {
    clock.advanceSeconds(3600);
    await look();
  }
  expect(await counted()).toContain('anteroom_sign_out_notices_total{outcome="given-up"} 1');
  expect(await waiting()).toBe(0);
  // twelve hours, an hour apart at most, and more of them at first
  expect(listener.requests.length).toBeGreaterThanOrEqual(13);
});

test('F06: of several nodes one tells, and what a node took with it and died is told by another', async () => {
  const { browser } = await signedIn();
  listener.behave({ status: 503 });
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  await expect.poll(() => listener.requests.length).toBe(1);
  // it has been put off by whoever took it: nobody else finds it
  const { database, clock } = application().services;
  expect(await takeDueSignOutNotices(database, clock.now(), 20)).toEqual([]);
  // two look at the same moment, when it is due again
  application().clock.advanceSeconds(30);
  const taken = await Promise.all([0, 1].map(() => takeDueSignOutNotices(database, clock.now(), 20)));
  expect(taken.flat()).toHaveLength(1);
  await application().services.database.deleteFrom('sign_out_notices').execute();
});

test('S23: a new password by a link ends every session, and their applications are told', async () => {
  const { claims } = await signedIn();
  const token = await obtainToken(application(), secretary.userName);
  expect((await useToken(application(), token, 'seven lanterns over the river')).status).toBe(204);
  await expect.poll(() => listener.requests.length).toBeGreaterThan(0);
  const told = listener.requests.map(
    ({ body }) => decode((new URLSearchParams(body).get('logout_token') ?? '').split('.')[1])['sid'],
  );
  expect(told).toContain(claims['sid']);
});

test('discovery says what is offered', async () => {
  const metadata = (await application().openBrowser().visit('/.well-known/openid-configuration')).json();
  expect(metadata).toMatchObject({
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  });
});
