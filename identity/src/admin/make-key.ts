import { createHash, generateKeyPairSync } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import type { SigningKey } from '../lib/keys.ts';

export const algorithms = ['RS256', 'ES256', 'EdDSA'] as const;
export type Algorithm = (typeof algorithms)[number];

/**
 * A private key with its name: the thumbprint of its public half (RFC 7638), so that the same key is never called two things. In
 * hexadecimal: as base64url one name in 64 would begin with a hyphen, which a command line takes for an option.
 */
export function makeSigningKey(alg: Algorithm): SigningKey {
  const jwk: JsonWebKey = makePrivateKey(alg).export({ format: 'jwk' });
  return { ...jwk, kid: thumbprintOf(jwk).slice(0, 16), use: 'sig', alg };
}

function makePrivateKey(alg: Algorithm): KeyObject {
  switch (alg) {
    case 'RS256':
      return generateKeyPairSync('rsa', { modulusLength: 3072 }).privateKey;
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    case 'EdDSA':
      return generateKeyPairSync('ed25519').privateKey;
  }
}

function thumbprintOf({ crv, e, kty, n, x, y }: JsonWebKey): string {
  // in the order of the alphabet, without what the kind of key does not have
  const members = Object.entries({ crv, e, kty, n, x, y }).filter(([, value]) => value !== undefined);
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(members)))
    .digest('hex');
}
