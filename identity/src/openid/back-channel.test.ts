import { createPublicKey, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { FakeGateway } from '../../testing/fake-gateway.ts';
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
async function untilCounted(outcome: string, count: number): Promise<void> {
  await expect.poll(counted).toContain(`anteroom_sign_out_notices_total{outcome="${outcome}"} ${count}`);
}

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
  expect(listener.requests.map(({ path }) => path)).toEqual(['/signed-out']);
});

test('one that never answers keeps nobody waiting', async () => {
  const { browser } = await signedIn();
  listener.behave('hang');
  const begun = performance.now();
  expect((await browser.post('/api/ui/auth/sign-out', {})).status).toBe(204);
  expect(performance.now() - begun).toBeLessThan(2000);
  await expect.poll(() => listener.requests.length).toBe(1);
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
