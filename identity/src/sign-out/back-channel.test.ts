import { createPublicKey, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { FakeGateway } from '../../testing/fake-gateway.ts';
import { takeDueSignOutNotices } from './sign-out-notices-store.ts';
import { readIdToken, redeem, secretary, signIn } from '../../testing/journeys.ts';
import { obtainToken, useToken } from '../../testing/recovery.ts';
import { useApplication } from '../../testing/use-application.ts';

// OpenID Connect Back-Channel Logout 1.0: the service notifies applications that registered a logout URI, server to server.

const application = useApplication();
let listener: FakeGateway;

beforeAll(async () => {
  listener = await startFakeGateway();
  const { database } = application().services;
  const { metadata } = await database
    .selectFrom('clients')
    .select('metadata')
    .where('id', '=', portal.clientId)
    .executeTakeFirstOrThrow();
  await addClients(database, {
    listening: {
      ...metadata,
      backchannel_logout_uri: `${listener.url}/signed-out`,
      backchannel_logout_session_required: true,
    },
  });
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

/** Notifications that have been delivered or have failed. */
const counted = async (): Promise<string> => application().services.metrics.registry.metrics();
const outcomes = async () => (await counted()).match(/^anteroom_sign_out_notices_total.*$/gm);
async function untilCounted(outcome: string, count: number): Promise<void> {
  await expect.poll(counted).toContain(`anteroom_sign_out_notices_total{outcome="${outcome}"} ${count}`);
}

const database = () => application().services.database;
/** Sends the notices that are due now. */
async function sendDueNotices(): Promise<void> {
  application().provider.notifyApplications();
  await application().provider.settle();
}
const waiting = async (): Promise<number> =>
  (await database().selectFrom('sign_out_notices').select('sid').execute()).length;

const decode = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

test('sends a signed logout token that names only the user and the session [I11]', async () => {
  const { browser, claims } = await signedIn();
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  await untilCounted('delivered', 1);

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
  // Without a nonce, a logout token cannot be used as an ID token (Back-Channel Logout 1.0, 2.4).
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

test('a sign-out completes when the application answers with an error or a redirect, and the failure is counted', async () => {
  const { browser } = await signedIn();
  listener.behave({ status: 302, headers: { location: `${listener.url}/elsewhere` } });
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  expect((await browser.call('/api/ui/sites')).status).toBe(401);
  await untilCounted('failed', 1);
  await database().deleteFrom('sign_out_notices').execute();
  expect(listener.requests.map(({ path }) => path)).toEqual(['/signed-out']);
});

test('a sign-out does not wait for an application that never answers', async () => {
  const { browser } = await signedIn();
  listener.behave('hang');
  const before = await outcomes();
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  // no attempt has finished yet
  expect(await outcomes()).toEqual(before);
  await expect.poll(() => listener.requests.length).toBe(1);
  await database().deleteFrom('sign_out_notices').execute();
});

test('retries an unreachable application with growing intervals and newly signed tokens until it is notified', async () => {
  const { clock } = application();
  const { browser, claims } = await signedIn();
  listener.behave('reset');
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  await sendDueNotices();
  expect(listener.requests).toHaveLength(1);
  // Attempts follow after 30 seconds and then after a minute, and not in between.
  for (const [waitSeconds, tried] of [
    [29, 1],
    [1, 2],
    [59, 2],
    [1, 3],
  ] as const) {
    clock.advanceSeconds(waitSeconds);
    await sendDueNotices();
    expect(listener.requests).toHaveLength(tried);
  }
  listener.behave({ status: 200 });
  clock.advanceSeconds(120);
  await sendDueNotices();
  const tokens = listener.requests.map(({ body }) => new URLSearchParams(body).get('logout_token') ?? '');
  expect(new Set(tokens.map((token) => decode(token.split('.')[1])['jti'])).size).toBe(4);
  expect(decode(tokens.at(-1)?.split('.')[1])).toMatchObject({ sub: claims['sub'], sid: claims['sid'] });
  clock.advanceSeconds(24 * 3600);
  await sendDueNotices();
  expect(listener.requests).toHaveLength(4);
  expect(await waiting()).toBe(0);
});

test('gives a notice up after twelve hours and counts it', async () => {
  const { clock } = application();
  const { browser } = await signedIn();
  listener.behave({ status: 503 });
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  await sendDueNotices();
  for (let hour = 0; hour < 12; hour += 1) {
    clock.advanceSeconds(3600);
    await sendDueNotices();
  }
  expect(await counted()).toContain('anteroom_sign_out_notices_total{outcome="given-up"} 1');
  expect(await waiting()).toBe(0);
  // The intervals grow to at most one hour, so twelve hours allow at least 13 attempts.
  expect(listener.requests.length).toBeGreaterThanOrEqual(13);
});

test('one of several nodes sends a notice, and another node takes over when that node stops [F06]', async () => {
  const { browser } = await signedIn();
  listener.behave({ status: 503 });
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  await expect.poll(() => listener.requests.length).toBe(1);
  // The node that took the notice has postponed it, so no other node finds it.
  const { database, clock } = application().services;
  expect(await takeDueSignOutNotices(database, clock.now(), 20)).toEqual([]);
  // Two nodes query at the same moment, when the notice is due again.
  application().clock.advanceSeconds(30);
  const taken = await Promise.all([0, 1].map(() => takeDueSignOutNotices(database, clock.now(), 20)));
  expect(taken.flat()).toHaveLength(1);
  await application().services.database.deleteFrom('sign_out_notices').execute();
});

test('a password reset ends every session and notifies their applications [S23]', async () => {
  const { claims } = await signedIn();
  const token = await obtainToken(application(), secretary.userName);
  expect((await useToken(application(), token, 'seven lanterns over the river')).status).toBe(204);
  await expect.poll(() => listener.requests.length).toBeGreaterThan(0);
  const notifiedSids = listener.requests.map(
    ({ body }) => decode((new URLSearchParams(body).get('logout_token') ?? '').split('.')[1])['sid'],
  );
  expect(notifiedSids).toContain(claims['sid']);
});

test('discovery advertises back-channel logout', async () => {
  const metadata = (await application().openBrowser().visit('/.well-known/openid-configuration')).json();
  expect(metadata).toMatchObject({
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  });
});
