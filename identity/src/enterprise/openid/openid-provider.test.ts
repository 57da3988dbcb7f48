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
import { createOpenidProvider } from './openid-provider.ts';

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

/** Our side, with nothing known yet. */
function createOurs(changes: { privateAddresses?: boolean; insecure?: boolean } = {}) {
  const clock = movableClock(new Date());
  const log = pino({ level: 'silent' });
  return {
    clock,
    provider: createOpenidProvider({
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

/** A whole trip; `change` edits the address that the browser comes back with. */
async function travel(
  { provider, clock }: ReturnType<typeof createOurs> = createOurs(),
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

test('an honest provider proves somebody', async () => {
  expect(await travel()).toMatchObject({
    subject: 'someone',
    email: 'someone@corp.example',
    emailVerified: true,
    firstName: 'Some',
    lastName: 'One',
  });
});

describe('S53: an ID token that is not whole proves nobody', () => {
  const refused: [string, () => Recipe][] = [
    ['alg none', () => ({ header: { alg: 'none' }, sign: () => '' })],
    ['alg none with the signature left on', () => ({ header: { alg: 'none' } })],
    [
      'HS256 with the public key',
      () => ({ header: { alg: 'HS256' }, sign: (text) => signHmac(peer.publicKeyPem(), text) }),
    ],
    [
      'HS256 with the client’s id',
      () => ({ header: { alg: 'HS256' }, sign: (text) => signHmac('anteroom', text) }),
    ],
    ['an algorithm that was not announced', () => ({ header: { alg: 'PS256' } })],
    ['a key of somebody else', () => ({ sign: (text) => signWith(strange.privateKey, text) })],
    [
      'a key that is not published',
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
      'keys at an address of its own',
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
    ['critical headers that nobody knows', () => ({ header: { crit: ['exp'] } })],
    ['no signature', () => ({ idToken: (honest) => `${honest.split('.').slice(0, 2).join('.')}.` })],
    ['edited claims', () => ({ idToken: (honest) => edited(honest, { sub: 'admin' }) })],
    ['another audience', () => ({ claims: { aud: 'another-client' } })],
    [
      'several audiences, for another party',
      () => ({ claims: { aud: ['anteroom', 'another'], azp: 'another' } }),
    ],
    ['another issuer', () => ({ claims: { iss: 'https://elsewhere.example' } })],
    ['a token of another kind: access', () => ({ header: { typ: 'at+jwt' } })],
    ['a token of another kind: sign-out', () => ({ header: { typ: 'logout+jwt' } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['another nonce', () => ({ claims: { nonce: 'of another trip' } })],
    ['expired', () => ({ claims: { exp: secondsAgo(70) } })],
    ['no expiry', () => ({ claims: { exp: undefined } })],
    ['not valid yet', () => ({ claims: { nbf: secondsAgo(-90) } })],
    ['no subject', () => ({ claims: { sub: undefined } })],
    ['an empty subject', () => ({ claims: { sub: '' } })],
    ['a subject that is too long', () => ({ claims: { sub: 'x'.repeat(256) } })],
    ['a subject that is no ASCII', () => ({ claims: { sub: 'ＡＢＣ' } })],
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
    ['half a megabyte', () => ({ answer: { status: 200, body: `"${'x'.repeat(600 * 1024)}"` } })],
  ];

  test.each(refused)('%s', async (_name, recipe) => {
    peer.recipe = recipe();
    await expect(travel()).rejects.toBeInstanceOf(ExternalFailure);
    expect(peer.asked).not.toContain('/other-keys');
    expect(peer.asked).not.toContain('/other-certificate');
  });

  test('clocks may be a minute apart', async () => {
    peer.recipe = { claims: { exp: secondsAgo(50), iat: secondsAgo(350) } };
    await expect(travel()).resolves.toMatchObject({ subject: 'someone' });
  });
});

describe('an answer that is not the trip’s', () => {
  const refused: [string, (answer: URL) => void][] = [
    ['another state', ({ searchParams }) => searchParams.set('state', 'other')],
    ['no state', ({ searchParams }) => searchParams.delete('state')],
    ['two states', ({ searchParams }) => searchParams.append('state', 'other')],
    ['two codes', ({ searchParams }) => searchParams.append('code', 'other')],
    ['no code', ({ searchParams }) => searchParams.delete('code')],
    ['another issuer (RFC 9207)', ({ searchParams }) => searchParams.set('iss', 'https://elsewhere.example')],
    ['no issuer, though it was announced', ({ searchParams }) => searchParams.delete('iss')],
    ['a refusal', ({ searchParams }) => searchParams.set('error', 'access_denied')],
  ];
  test.each(refused)('%s: no code is redeemed', async (_name, change) => {
    await expect(travel(createOurs(), { change })).rejects.toBeInstanceOf(ExternalFailure);
    expect(peer.asked).not.toContain('/token');
  });

  test('what a provider says in words is not in the reason', async () => {
    const told = travel(createOurs(), {
      change: ({ searchParams }) => {
        searchParams.set('error', '<img src=x> secret');
        searchParams.set('error_description', 'secret');
      },
    });
    await expect(told).rejects.toThrow(/^((?!secret).)*$/);
  });
});

describe('a fresh sign-in that was asked for', () => {
  test('counts when it is one', async () => {
    await expect(travel(createOurs(), { forced: true })).resolves.toMatchObject({ subject: 'someone' });
  });
  test.each([
    ['is from before', { auth_time: secondsAgo(600) }],
    ['does not say when', { auth_time: undefined }],
    ['says it in words', { auth_time: 'now' }],
  ])('does not when it %s', async (_name, claims) => {
    peer.recipe = { claims };
    await expect(travel(createOurs(), { forced: true })).rejects.toBeInstanceOf(ExternalFailure);
  });
});

describe('what is told at the userinfo endpoint alone', () => {
  beforeEach(() => {
    peer.recipe = { claims: { email: undefined, email_verified: undefined } };
  });
  test('is asked for there', async () => {
    peer.userInfo = { sub: 'someone', email: 'told@corp.example', email_verified: true };
    expect(await travel()).toMatchObject({ email: 'told@corp.example', emailVerified: true });
  });
  test('counts for the same subject alone', async () => {
    peer.userInfo = { sub: 'another', email: 'told@corp.example', email_verified: true };
    await expect(travel()).rejects.toBeInstanceOf(ExternalFailure);
  });
  test('verifies the address that it speaks of, and no other one that the token has', async () => {
    peer.recipe = { claims: { email_verified: undefined, given_name: undefined } };
    peer.userInfo = { sub: 'someone', email: 'another@corp.example', email_verified: true };
    expect(await travel()).toMatchObject({ email: 'someone@corp.example', emailVerified: false });
    peer.userInfo = { sub: 'someone', email: 'someone@corp.example', email_verified: true };
    expect(await travel()).toMatchObject({ email: 'someone@corp.example', emailVerified: true });
  });
  test('is nobody’s address when it is none', async () => {
    for (const email of [42, '', 'no address', 'two@at@corp.example', { a: 1 }]) {
      peer.userInfo = { sub: 'someone', email };
      expect(await travel()).toMatchObject({ email: undefined, emailVerified: false });
    }
  });
});

describe('the names of a person', () => {
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
  ])('are the parts of the claim name where the provider sends no others: %s', async (name, first, last) => {
    peer.recipe = { claims: { ...none, name } };
    expect(await travel()).toMatchObject({ firstName: first, lastName: last });
  });

  test('come from name at the userinfo endpoint too', async () => {
    peer.recipe = { claims: none };
    peer.userInfo = { sub: 'someone', name: 'Greta Glew' };
    expect(await travel()).toMatchObject({ firstName: 'Greta', lastName: 'Glew' });
  });

  test('come from the claims that the connection names', async () => {
    peer.recipe = { claims: { vorname: 'Greta', nachname: 'Glew', name: 'Somebody Else' } };
    const settings = { firstNameClaim: 'vorname', lastNameClaim: 'nachname' };
    const connection = connectionTo(peer.issuer, 'named', undefined, settings);
    expect(await travel(undefined, {}, connection)).toMatchObject({ firstName: 'Greta', lastName: 'Glew' });
  });
});

describe('authentication at the token endpoint', () => {
  const secret = 'GOCSPX-a.b~c';
  const authenticate = async (tokenAuthentication?: OpenidSettings['tokenAuthentication']) => {
    await travel(undefined, {}, connectionTo(peer.issuer, 'corp', secret, { tokenAuthentication }));
    return peer.tokenRequest;
  };
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
  const encoded = basic('anteroom:GOCSPX%2Da%2Eb%7Ec');

  test('percent-encodes the secret for basic (RFC 6749, 2.3.1), which is the default', async () => {
    peer.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] };
    expect((await authenticate()).authorization).toBe(encoded);
    expect((await authenticate('client_secret_basic')).authorization).toBe(encoded);
  });

  test('sends the secret as it is where the connection says that the provider does not decode', async () => {
    const { authorization, body } = await authenticate('client_secret_basic_unencoded');
    expect(authorization).toBe(basic(`anteroom:${secret}`));
    expect(body.has('client_secret')).toBe(false);
  });

  test('sends the secret in the body where the connection says so, or the provider announces nothing else', async () => {
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

  test('is refused before the redirect where the connection has no secret for it', async () => {
    const connection = connectionTo(peer.issuer, 'corp', undefined, {
      tokenAuthentication: 'client_secret_post',
    });
    await expect(travel(undefined, {}, connection)).rejects.toMatchObject({
      reason: 'the connection has no client secret for client_secret_post',
    });
  });

  test('that the provider refuses names the settings to check', async () => {
    peer.recipe = { answer: { status: 401, body: '{"error":"invalid_client"}' } };
    await expect(authenticate()).rejects.toMatchObject({
      reason: expect.stringMatching(/invalid_client: check the client id, the client secret/) as unknown,
    });
  });
});

test('a discovery document of another issuer is refused with both issuers', async () => {
  peer.metadata = { issuer: 'https://elsewhere.example' };
  await expect(travel()).rejects.toMatchObject({
    reason: `the provider’s discovery document is of another issuer: expected ${peer.issuer}, found https://elsewhere.example`,
  });
});

test('a session’s name that no sign-out could bring is none', async () => {
  for (const [sid, kept] of [
    ['session-1', 'session-1'],
    ['session\0', undefined],
    ['', undefined],
    ['x'.repeat(256), undefined],
    [7, undefined],
  ] as const) {
    peer.recipe = { claims: { sid } };
    expect((await travel()).sessionIndex).toBe(kept);
  }
});

describe('F09: a provider that is away', () => {
  test('its last document is used, and one that nobody has read is refused without waiting each time', async () => {
    const ours = createOurs();
    await travel(ours);
    const documents = () => peer.asked.filter((path) => path.includes('well-known')).length;
    expect(documents()).toBe(1);
    peer.metadata = { issuer: 'https://elsewhere.example' };
    ours.clock.advanceSeconds(3601);
    await expect(travel(ours)).resolves.toMatchObject({ subject: 'someone' });
    expect(documents()).toBe(2);
    await travel(ours);
    expect(documents()).toBe(2);

    const stranger = connectionTo(peer.issuer, 'another');
    await expect(travel(ours, {}, stranger)).rejects.toBeInstanceOf(ExternalFailure);
    await expect(travel(ours, {}, stranger)).rejects.toBeInstanceOf(ExternalFailure);
    expect(documents()).toBe(3);
    peer.metadata = {};
    ours.clock.advanceSeconds(31);
    await expect(travel(ours, {}, stranger)).resolves.toMatchObject({ subject: 'someone' });
  });

  test('one that never answers holds its own visitors for 4 seconds, and nobody else’s', async () => {
    const silent = await startHostileProvider();
    try {
      silent.silent = true;
      const ours = createOurs();
      const waiting = travel(ours, {}, connectionTo(silent.issuer, 'silent'));
      await Promise.all([
        expect(waiting).rejects.toBeInstanceOf(ExternalFailure),
        expect(travel(ours)).resolves.toMatchObject({ subject: 'someone' }),
      ]);
    } finally {
      await silent.close();
    }
  });

  test('new keys are found once the old ones are a minute old', async () => {
    const ours = createOurs();
    await travel(ours);
    peer.rollKeys();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await expect(travel(ours)).resolves.toMatchObject({ subject: 'someone' });
  });
});

describe('where we connect to', () => {
  test.each([
    'http://127.0.0.1:1',
    'http://localhost:1',
    'http://[::1]:1',
    'http://[::ffff:10.0.0.1]:1',
    'http://169.254.169.254',
  ])('%s is private, and nothing is sent there unless the operator allows it', async (issuer) => {
    const ours = createOurs({ privateAddresses: false });
    await expect(travel(ours, {}, connectionTo(issuer))).rejects.toMatchObject({
      cause: { cause: { message: expect.stringMatching(/private/) as unknown } },
    });
  });

  test('nor without TLS in production, whatever the address', async () => {
    const ours = createOurs({ insecure: false });
    await expect(travel(ours)).rejects.toBeInstanceOf(ExternalFailure);
    expect(peer.asked).toEqual([]);
  });
});

/** The same token with other claims. */
function edited(token: string, claims: Record<string, unknown>): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const before = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const after = Buffer.from(JSON.stringify({ ...before, ...claims })).toString('base64url');
  return [header, after, signature].join('.');
}
