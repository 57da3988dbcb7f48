import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import type { SigningKey } from '../src/lib/keys.ts';

type Algorithm = 'ES256' | 'RS256';

/** Creates a private signing key. */
export function makeSigningKey(kid: string, alg: Algorithm = 'ES256'): SigningKey {
  const { privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg };
}

export function readHeader(token: string): Record<string, unknown> {
  return decode(token.split('.')[0]);
}

export function readPayload(token: string): Record<string, unknown> {
  return decode(token.split('.')[1]);
}

/** Verifies the signature with the published key of the token's `kid`. */
export function isSignedByOneOf(token: string, jwks: unknown): boolean {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const { kid } = decode(header);
  const { keys } = jwks as { keys: (JsonWebKey & { kid: string })[] };
  const jwk = keys.find((key) => key.kid === kid);
  if (jwk === undefined) return false;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
}

function decode(part = ''): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
}
