import { jwtVerify } from 'jose';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createKey,
  signHmac,
  signWith,
  startHostileProvider,
} from '../../../testing/company/hostile-provider.ts';
import type { HostileProvider, Recipe } from '../../../testing/company/hostile-provider.ts';
import { movableClock } from '../../../testing/movable-clock.ts';
import { openidSettings } from '../connection.ts';
import type { OpenidConnection, OpenidSettings } from '../connection.ts';
import { ExternalFailure } from '../external-provider.ts';
import * as v from 'valibot';
import { createCompanyOpenidProvider } from './company-provider.ts';

const publicUrl = 'https://id.example';
let peer: HostileProvider;

beforeAll(async () => {
  peer = await startHostileProvider();
});
afterAll(() => peer.close());
beforeEach(() => {
  Object.assign(peer, { recipe: {}, metadata: {}, userInfo: { sub: 'someone' }, asked: [], silent: false });
});
afterEach(() => void vi.useRealTimers());

function connectionTo(
  issuer: string,
  id = 'corp',
  clientSecret?: string,
  settings: Partial<OpenidSettings> = {},
): OpenidConnection {
  return {
    id,
    name: id,
    displayName: id,
    kind: 'openid',
    provisioning: 'none',
    emailDomains: [],
    settings: v.parse(openidSettings, { issuer, clientId: 'anteroom', ...settings }),
    clientSecret,
  };
}

const serviceKey = createKey();
const signingKey = {
  ...serviceKey.privateKey.export({ format: 'jwk' }),
  kid: serviceKey.kid,
  use: 'sig',
  alg: 'RS256',
} as const;

/** Creates this service with empty caches. */
function createService(changes: { privateAddresses?: boolean; insecure?: boolean } = {}) {
  const clock = movableClock(new Date());
  const log = pino({ level: 'silent' });
  return {
    clock,
    provider: createCompanyOpenidProvider({
      publicUrl,
      privateAddresses: true,
      insecure: true,
      ...changes,
      clock,
      log,
      keys: { signing: { keys: [signingKey] } },
    }),
  };
}

/** A complete sign-in at the provider; `change` edits the URL that the browser returns with. */
async function signInAtProvider(
  { provider, clock }: ReturnType<typeof createService> = createService(),
  { forced = false, change = () => undefined }: { forced?: boolean; change?: (answer: URL) => void } = {},
  connection: OpenidConnection = connectionTo(peer.issuer),
) {
  const secrets = provider.createSecrets();
  const request = {
    id: 'the-state',
    secrets,
    forceAuthentication: forced,
    connectionId: connection.id,
    uid: 'sign-in',
    browserId: 'browser',
    siteId: undefined,
    createdAt: clock.now(),
  };
  await provider.begin(connection, { ...request, loginHint: undefined });
  peer.nonce = secrets['nonce'] ?? '';
  const answer = new URL(`${publicUrl}/external/callback`);
  answer.search = new URLSearchParams({ code: 'code', state: request.id, iss: peer.issuer }).toString();
  change(answer);
  return await provider.receive(connection, request, answer);
}

const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds;
const strange = createKey();
const strangeJwk = strange.publicKey.export({ format: 'jwk' });

test('a genuine response yields a proof [I07]', async () => {
  expect(await signInAtProvider()).toMatchObject({
    subject: 'someone',
    email: 'someone@corp.example',
    emailVerified: true,
    firstName: 'Some',
    lastName: 'One',
  });
});

describe('an invalid ID token yields no proof [S53]', () => {
  const refused: [string, () => Recipe][] = [
    ['alg none', () => ({ header: { alg: 'none' }, sign: () => '' })],
    ['alg none with the original signature', () => ({ header: { alg: 'none' } })],
    [
      'HS256 with the public key as secret',
      () => ({ header: { alg: 'HS256' }, sign: (text) => signHmac(peer.publicKeyPem(), text) }),
    ],
    [
      'HS256 with the client id as secret',
      () => ({ header: { alg: 'HS256' }, sign: (text) => signHmac('anteroom', text) }),
    ],
    ['an algorithm that the provider does not list', () => ({ header: { alg: 'PS256' } })],
    ['an unrelated key', () => ({ sign: (text) => signWith(strange.privateKey, text) })],
    [
      'an unpublished key',
      () => ({ header: { kid: strange.kid }, sign: (text) => signWith(strange.privateKey, text) }),
    ],
    [
      'a key in its own header',
      () => ({
        header: { kid: undefined, jwk: strangeJwk },
        sign: (text) => signWith(strange.privateKey, text),
      }),
    ],
    [
      'a key set URL in its own header',
      () => ({
        header: { kid: 'x', jku: `${peer.issuer}/other-keys`, x5u: `${peer.issuer}/other-certificate` },
        sign: (text) => signWith(strange.privateKey, text),
      }),
    ],
    [
      'a kid that is a path',
      () => ({ header: { kid: '../../../../dev/null' }, sign: (text) => signHmac('', text) }),
    ],
    [
      'a kid that is SQL',
      () => ({ header: { kid: "x' union select 'key" }, sign: (text) => signWith(strange.privateKey, text) }),
    ],
    ['unknown critical headers', () => ({ header: { crit: ['exp'] } })],
    ['no signature', () => ({ idToken: (honest) => `${honest.split('.').slice(0, 2).join('.')}.` })],
    ['edited claims', () => ({ idToken: (honest) => edited(honest, { sub: 'admin' }) })],
    ['another audience', () => ({ claims: { aud: 'another-client' } })],
    [
      'several audiences and another authorized party',
      () => ({ claims: { aud: ['anteroom', 'another'], azp: 'another' } }),
    ],
    ['another issuer', () => ({ claims: { iss: 'https://elsewhere.example' } })],
    ['another type: access token', () => ({ header: { typ: 'at+jwt' } })],
    ['another type: logout token', () => ({ header: { typ: 'logout+jwt' } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['another nonce', () => ({ claims: { nonce: 'of another request' } })],
    ['expired', () => ({ claims: { exp: secondsAgo(70) } })],
    ['no expiry', () => ({ claims: { exp: undefined } })],
    ['not valid yet', () => ({ claims: { nbf: secondsAgo(-90) } })],
    ['no subject', () => ({ claims: { sub: undefined } })],
    ['an empty subject', () => ({ claims: { sub: '' } })],
    ['a subject that is too long', () => ({ claims: { sub: 'x'.repeat(256) } })],
    ['a subject that is not ASCII', () => ({ claims: { sub: 'ＡＢＣ' } })],
    ['no token', () => ({ idToken: () => undefined })],
    ['no JWT', () => ({ idToken: () => 'token' })],
    ['an error instead', () => ({ answer: { status: 400, body: '{"error":"invalid_grant"}' } })],
    [
      'no JSON',
      () => ({ answer: { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' } }),
    ],
    [
      'a redirection',
      () => ({ answer: { status: 307, headers: { location: 'http://127.0.0.1:1/token' }, body: '' } }),
    ],
    [
      'a response of half a megabyte',
      () => ({ answer: { status: 200, body: `"${'x'.repeat(600 * 1024)}"` } }),
    ],
  ];

  test.each(refused)('%s', async (_name, recipe) => {
    peer.recipe = recipe();
    await expect(signInAtProvider()).rejects.toBeInstanceOf(ExternalFailure);
    expect(peer.asked).not.toContain('/other-keys');
    expect(peer.asked).not.toContain('/other-certificate');
  });

  test('a clock difference of one minute is tolerated', async () => {
    peer.recipe = { claims: { exp: secondsAgo(50), iat: secondsAgo(350) } };
    await expect(signInAtProvider()).resolves.toMatchObject({ subject: 'someone' });
  });
});

describe('a response that does not match the request', () => {
  const refused: [string, (answer: URL) => void][] = [
    ['another state', ({ searchParams }) => searchParams.set('state', 'other')],
    ['no state', ({ searchParams }) => searchParams.delete('state')],
    ['two states', ({ searchParams }) => searchParams.append('state', 'other')],
    ['two codes', ({ searchParams }) => searchParams.append('code', 'other')],
    ['no code', ({ searchParams }) => searchParams.delete('code')],
    ['another issuer (RFC 9207)', ({ searchParams }) => searchParams.set('iss', 'https://elsewhere.example')],
    ['no issuer, although the provider supports it', ({ searchParams }) => searchParams.delete('iss')],
    ['an error response', ({ searchParams }) => searchParams.set('error', 'access_denied')],
  ];
  test.each(refused)('%s: no code is redeemed', async (_name, change) => {
    await expect(signInAtProvider(createService(), { change })).rejects.toBeInstanceOf(ExternalFailure);
    expect(peer.asked).not.toContain('/token');
  });

  test('the provider’s error description is not part of the reason', async () => {
    const failure = signInAtProvider(createService(), {
      change: ({ searchParams }) => {
        searchParams.set('error', '<img src=x> secret');
        searchParams.set('error_description', 'secret');
      },
    });
    await expect(failure).rejects.toThrow(/^((?!secret).)*$/);
  });
});

describe('a requested fresh sign-in', () => {
  test('is accepted with a recent auth_time', async () => {
    await expect(signInAtProvider(createService(), { forced: true })).resolves.toMatchObject({
      subject: 'someone',
    });
  });
  test.each([
    ['is too old', { auth_time: secondsAgo(600) }],
    ['has no auth_time', { auth_time: undefined }],
    ['has a malformed auth_time', { auth_time: 'now' }],
  ])('is rejected if it %s [I07]', async (_name, claims) => {
    peer.recipe = { claims };
    await expect(signInAtProvider(createService(), { forced: true })).rejects.toBeInstanceOf(ExternalFailure);
  });
});

describe('claims that are only at the userinfo endpoint', () => {
  beforeEach(() => {
    peer.recipe = { claims: { email: undefined, email_verified: undefined } };
  });
  test('are fetched', async () => {
    peer.userInfo = { sub: 'someone', email: 'other@corp.example', email_verified: true };
    expect(await signInAtProvider()).toMatchObject({ email: 'other@corp.example', emailVerified: true });
  });
  test('are used only for the same subject', async () => {
    peer.userInfo = { sub: 'another', email: 'other@corp.example', email_verified: true };
    await expect(signInAtProvider()).rejects.toBeInstanceOf(ExternalFailure);
  });
  test('verify only the e-mail address at userinfo, not a different address in the token', async () => {
    peer.recipe = { claims: { email_verified: undefined, given_name: undefined } };
    peer.userInfo = { sub: 'someone', email: 'another@corp.example', email_verified: true };
    expect(await signInAtProvider()).toMatchObject({ email: 'someone@corp.example', emailVerified: false });
    peer.userInfo = { sub: 'someone', email: 'someone@corp.example', email_verified: true };
    expect(await signInAtProvider()).toMatchObject({ email: 'someone@corp.example', emailVerified: true });
  });
  test('are ignored if the e-mail address is malformed', async () => {
    for (const email of [42, '', 'no address', 'two@at@corp.example', { a: 1 }]) {
      peer.userInfo = { sub: 'someone', email };
      expect(await signInAtProvider()).toMatchObject({ email: undefined, emailVerified: false });
    }
  });
});

describe('the names of a user', () => {
  const none = { given_name: undefined, family_name: undefined };
  test.each<[string, string | undefined, string | undefined]>([
    ['Greta Glew', 'Greta', 'Glew'],
    ['Glew, Greta Maria', 'Greta Maria', 'Glew'],
    ['Anna Maria Schmidt', 'Anna Maria', 'Schmidt'],
    ['Ludwig van der Berg', 'Ludwig', 'van der Berg'],
    ['Omar bin Said', 'Omar', 'bin Said'],
    ['Greta', 'Greta', undefined],
    ['山田太郎', '山田太郎', undefined],
    ['Corp, Inc., Greta', 'Corp, Inc.,', 'Greta'],
  ])(
    'are split from the claim name if the provider sends no separate parts: %s',
    async (name, first, last) => {
      peer.recipe = { claims: { ...none, name } };
      expect(await signInAtProvider()).toMatchObject({ firstName: first, lastName: last });
    },
  );

  test('are also read from name at the userinfo endpoint', async () => {
    peer.recipe = { claims: none };
    peer.userInfo = { sub: 'someone', name: 'Greta Glew' };
    expect(await signInAtProvider()).toMatchObject({ firstName: 'Greta', lastName: 'Glew' });
  });

  test('are read from the claims that the connection configures', async () => {
    peer.recipe = { claims: { vorname: 'Greta', nachname: 'Glew', name: 'Somebody Else' } };
    const settings = { firstNameClaim: 'vorname', lastNameClaim: 'nachname' };
    const connection = connectionTo(peer.issuer, 'named', undefined, settings);
    expect(await signInAtProvider(undefined, {}, connection)).toMatchObject({
      firstName: 'Greta',
      lastName: 'Glew',
    });
  });
});

describe('authentication at the token endpoint', () => {
  const secret = 'GOCSPX-a.b~c';
  const authenticate = async (tokenAuthentication?: OpenidSettings['tokenAuthentication']) => {
    await signInAtProvider(undefined, {}, connectionTo(peer.issuer, 'corp', secret, { tokenAuthentication }));
    return peer.tokenRequest;
  };
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
  const encoded = basic('anteroom:GOCSPX%2Da%2Eb%7Ec');

  test('percent-encodes the secret for client_secret_basic (RFC 6749, 2.3.1), the default', async () => {
    peer.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] };
    expect((await authenticate()).authorization).toBe(encoded);
    expect((await authenticate('client_secret_basic')).authorization).toBe(encoded);
  });

  test('sends the secret unencoded if the connection is configured for it', async () => {
    const { authorization, body } = await authenticate('client_secret_basic_unencoded');
    expect(authorization).toBe(basic(`anteroom:${secret}`));
    expect(body.has('client_secret')).toBe(false);
  });

  test('sends the secret in the body if the connection is configured for it or the provider supports nothing else', async () => {
    const chosen = await authenticate('client_secret_post');
    peer.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    for (const { authorization, body } of [chosen, await authenticate()]) {
      expect(authorization).toBeUndefined();
      expect(body.get('client_secret')).toBe(secret);
    }
  });

  test('signs an assertion with a key of the service and sends no secret', async () => {
    const { authorization, body } = await authenticate('private_key_jwt');
    expect(authorization).toBeUndefined();
    expect(body.has('client_secret')).toBe(false);
    const { payload, protectedHeader } = await jwtVerify(
      body.get('client_assertion') ?? '',
      serviceKey.publicKey,
    );
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: serviceKey.kid });
    expect(payload).toMatchObject({ iss: 'anteroom', sub: 'anteroom', aud: peer.issuer });
  });

  test('fails before the redirect if the connection lacks the secret', async () => {
    const connection = connectionTo(peer.issuer, 'corp', undefined, {
      tokenAuthentication: 'client_secret_post',
    });
    await expect(signInAtProvider(undefined, {}, connection)).rejects.toMatchObject({
      reason: 'the connection has no client secret for client_secret_post',
    });
  });

  test('names the settings to check if the provider rejects the client', async () => {
    peer.recipe = { answer: { status: 401, body: '{"error":"invalid_client"}' } };
    await expect(authenticate()).rejects.toMatchObject({
      reason: expect.stringMatching(/invalid_client: check the client id, the client secret/) as unknown,
    });
  });
});

test('a discovery document of another issuer is rejected, and the reason has both issuers', async () => {
  peer.metadata = { issuer: 'https://elsewhere.example' };
  await expect(signInAtProvider()).rejects.toMatchObject({
    reason: `the provider’s discovery document is of another issuer: expected ${peer.issuer}, found https://elsewhere.example`,
  });
});

test('ignores a session id that no logout token could contain', async () => {
  for (const [sid, kept] of [
    ['session-1', 'session-1'],
    ['session\0', undefined],
    ['', undefined],
    ['x'.repeat(256), undefined],
    [7, undefined],
  ] as const) {
    peer.recipe = { claims: { sid } };
    expect((await signInAtProvider()).sessionIndex).toBe(kept);
  }
});

describe('an unreachable provider [F09]', () => {
  test('the last discovery document stays in use; without a document, sign-ins fail at once until the next attempt', async () => {
    const service = createService();
    await signInAtProvider(service);
    const documents = () => peer.asked.filter((path) => path.includes('well-known')).length;
    expect(documents()).toBe(1);
    peer.metadata = { issuer: 'https://elsewhere.example' };
    service.clock.advanceSeconds(3601);
    await expect(signInAtProvider(service)).resolves.toMatchObject({ subject: 'someone' });
    expect(documents()).toBe(2);
    await signInAtProvider(service);
    expect(documents()).toBe(2);

    const otherConnection = connectionTo(peer.issuer, 'another');
    await expect(signInAtProvider(service, {}, otherConnection)).rejects.toBeInstanceOf(ExternalFailure);
    await expect(signInAtProvider(service, {}, otherConnection)).rejects.toBeInstanceOf(ExternalFailure);
    expect(documents()).toBe(3);
    peer.metadata = {};
    service.clock.advanceSeconds(31);
    await expect(signInAtProvider(service, {}, otherConnection)).resolves.toMatchObject({
      subject: 'someone',
    });
  });

  test('a provider that never responds delays its own visitors for 4 seconds, and no other visitors', async () => {
    const silent = await startHostileProvider();
    try {
      silent.silent = true;
      const service = createService();
      const waiting = signInAtProvider(service, {}, connectionTo(silent.issuer, 'silent'));
      await Promise.all([
        expect(waiting).rejects.toBeInstanceOf(ExternalFailure),
        expect(signInAtProvider(service)).resolves.toMatchObject({ subject: 'someone' }),
      ]);
    } finally {
      await silent.close();
    }
  });

  test('new keys are fetched once the cached keys are a minute old', async () => {
    const service = createService();
    await signInAtProvider(service);
    peer.rollKeys();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await expect(signInAtProvider(service)).resolves.toMatchObject({ subject: 'someone' });
  });
});

describe('outgoing connections', () => {
  test.each([
    'http://127.0.0.1:1',
    'http://localhost:1',
    'http://[::1]:1',
    'http://[::ffff:10.0.0.1]:1',
    'http://169.254.169.254',
  ])('%s is private and gets no request unless the operator allows it', async (issuer) => {
    const service = createService({ privateAddresses: false });
    await expect(signInAtProvider(service, {}, connectionTo(issuer))).rejects.toMatchObject({
      cause: { cause: { message: expect.stringMatching(/private/) as unknown } },
    });
  });

  test('an address without TLS gets no request in production', async () => {
    const service = createService({ insecure: false });
    await expect(signInAtProvider(service)).rejects.toBeInstanceOf(ExternalFailure);
    expect(peer.asked).toEqual([]);
  });
});

/** The same token with changed claims, and the old signature. */
function edited(token: string, claims: Record<string, unknown>): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const before = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const after = Buffer.from(JSON.stringify({ ...before, ...claims })).toString('base64url');
  return [header, after, signature].join('.');
}
