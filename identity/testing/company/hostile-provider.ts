import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Claims = Record<string, unknown>;
type Key = { kid: string; privateKey: KeyObject; publicKey: KeyObject };

/** Overrides for the response of the token endpoint. */
export type Recipe = {
  header?: Claims;
  /** Overrides for valid claims; undefined omits a claim. */
  claims?: Claims;
  /** Replaces the signature. */
  sign?: (input: string, key: Key) => string;
  /** Replaces the whole token. */
  idToken?: (honest: string) => string | undefined;
  /** Replaces the whole response. */
  answer?: { status: number; headers?: Record<string, string>; body: string };
};

/** An OpenID provider whose responses a test can control. */
export type HostileProvider = {
  issuer: string;
  clientId: string;
  recipe: Recipe;
  userInfo: Claims;
  /** Overrides members of the discovery document. */
  metadata: Claims;
  /** The requested paths, in order. */
  asked: string[];
  /** If true, requests are never answered. */
  silent: boolean;
  /** The nonce for the next ID token. */
  nonce: string;
  publicKeyPem: () => string;
  /** The last request to the token endpoint. */
  tokenRequest: { authorization: string | undefined; body: URLSearchParams };
  /** The last ID token. */
  idToken: string;
  /** Creates a logout token with the overrides of the recipe (OpenID Connect Back-Channel Logout 1.0). */
  createLogoutToken: (recipe?: Pick<Recipe, 'header' | 'claims' | 'sign'>) => string;
  /** Replaces the published key. */
  rollKeys: () => void;
  close: () => Promise<void>;
};

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** RS256 (RFC 7518, 3.3). */
export const signWith = (key: KeyObject, input: string): string =>
  sign('sha256', Buffer.from(input), key).toString('base64url');

/** HS256 (RFC 7518, 3.2). */
export const signHmac = (secret: string, input: string): string =>
  createHmac('sha256', secret).update(input).digest('base64url');

const signHonestly: NonNullable<Recipe['sign']> = (input, { privateKey }) => signWith(privateKey, input);

export function createKey(): Key {
  return { kid: randomBytes(6).toString('hex'), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}

export async function startHostileProvider(): Promise<HostileProvider> {
  let key = createKey();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    provider.asked.push(pathname);
    if (provider.silent) return;
    void text(request).then((sent) => {
      if (pathname === '/token')
        provider.tokenRequest = {
          authorization: request.headers.authorization,
          body: new URLSearchParams(sent),
        };
      const { status, headers, body } = answerTo(pathname);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function answerTo(pathname: string): NonNullable<Recipe['answer']> {
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return json({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          userinfo_endpoint: `${issuer}/me`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          authorization_response_iss_parameter_supported: true,
          ...provider.metadata,
        });
      case '/jwks':
        return json({
          keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig', alg: 'RS256' }],
        });
      case '/me':
        return json(provider.userInfo);
      case '/token':
        return provider.recipe.answer ?? json(createTokens());
      default:
        return { status: 404, body: '{}' };
    }
  }

  function createTokens(): Claims {
    const { idToken } = provider.recipe;
    const now = Math.floor(Date.now() / 1000);
    const payload = {
      iss: issuer,
      aud: provider.clientId,
      sub: 'someone',
      nonce: provider.nonce,
      iat: now,
      exp: now + 300,
      auth_time: now,
      email: 'someone@corp.example',
      email_verified: true,
      given_name: 'Some',
      family_name: 'One',
    };
    const honest = issue('JWT', payload, provider.recipe);
    provider.idToken = honest;
    return {
      access_token: 'access',
      token_type: 'Bearer',
      expires_in: 60,
      id_token: idToken === undefined ? honest : idToken(honest),
    };
  }

  function issue(
    typ: string,
    payload: Claims,
    { header, claims, sign: signature = signHonestly }: Recipe,
  ): string {
    const input = `${encode({ alg: 'RS256', kid: key.kid, typ, ...header })}.${encode({ ...payload, ...claims })}`;
    return `${input}.${signature(input, key)}`;
  }

  const provider: HostileProvider = {
    issuer,
    clientId: 'anteroom',
    recipe: {},
    userInfo: { sub: 'someone' },
    metadata: {},
    asked: [],
    silent: false,
    nonce: '',
    idToken: '',
    tokenRequest: { authorization: undefined, body: new URLSearchParams() },
    createLogoutToken: (recipe = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const payload = {
        iss: issuer,
        aud: provider.clientId,
        sub: 'someone',
        iat: now,
        exp: now + 120,
        jti: randomBytes(8).toString('hex'),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      };
      return issue('logout+jwt', payload, recipe);
    },
    publicKeyPem: () => key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    rollKeys: () => {
      key = createKey();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}

function json(body: unknown): NonNullable<Recipe['answer']> {
  return { status: 200, body: JSON.stringify(body) };
}
