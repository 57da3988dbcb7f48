import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenID provider whose answers, valid or invalid, are scripted by a test. */
export type ScriptedProvider = {
  issuer: string;
  /** Additional claims of the ID token; undefined omits a standard claim. */
  claims: Record<string, unknown>;
  userInfo: Record<string, unknown>;
  /** The requests to the token endpoint. */
  redeemed: URLSearchParams[];
  close: () => Promise<void>;
};

const seconds = () => Math.floor(Date.now() / 1000);

export async function startScriptedProvider(clientId: string): Promise<ScriptedProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider: ScriptedProvider = {
    issuer,
    claims: {},
    userInfo: {},
    redeemed: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    switch (request.url ?? '') {
      case '/.well-known/openid-configuration':
        send({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          end_session_endpoint: `${issuer}/end`,
          ui_locales_supported: ['en', 'ar'],
          jwks_uri: `${issuer}/jwks`,
          authorization_response_iss_parameter_supported: true,
          id_token_signing_alg_values_supported: ['ES256'],
        });
        return;
      case '/jwks':
        send({ keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'k' }] });
        return;
      case '/token':
        provider.redeemed.push(new URLSearchParams(await readBody(request)));
        send({ access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: makeIdToken() });
        return;
      case '/userinfo':
        send({ sub: 'somebody', ...provider.userInfo });
        return;
      default:
        response.writeHead(404).end();
    }
  }

  function makeIdToken(): string {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const body = `${encode({ alg: 'ES256', kid: 'k' })}.${encode({
      iss: issuer,
      aud: clientId,
      sub: 'somebody',
      iat: seconds(),
      exp: seconds() + 60,
      ...provider.claims,
    })}`;
    const signature = sign('sha256', Buffer.from(body), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${body}.${signature.toString('base64url')}`;
  }
}

/** The challenge for a verifier (RFC 7636, 4.2). */
export function challengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString();
}
