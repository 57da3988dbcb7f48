import { createHash, createPrivateKey } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import * as v from 'valibot';
import type { SigningKey } from './keys.ts';

const jwk = v.looseObject({
  kid: v.pipe(v.string(), v.nonEmpty()),
  alg: v.picklist(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']),
  kty: v.string(),
  d: v.string(),
});
const jwks = v.object({ keys: v.pipe(v.array(jwk), v.minLength(1)) });

/** Parses a JWK set of private keys; undefined if it is invalid or contains a key that cannot sign. */
export function parseSigningKeys(text: string): { keys: SigningKey[] } | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const result = v.safeParse(jwks, parsed);
  if (!result.success) return undefined;
  const keys = result.output.keys.map((key): SigningKey => ({ ...key, use: 'sig' }));
  return keys.every(isPrivateKey) ? { keys } : undefined;
}

/**
 * Computes a key's id: the thumbprint of its public half (RFC 7638), so that the same key never has two ids. The id is
 * hexadecimal, because one base64url id in 64 would begin with a hyphen and look like a command-line option.
 */
export function keyIdOf({ crv, e, kty, n, x, y }: JsonWebKey): string {
  // RFC 7638 requires alphabetical order, and only the members that this kind of key has.
  const members = Object.entries({ crv, e, kty, n, x, y }).filter(([, value]) => value !== undefined);
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(members)))
    .digest('hex')
    .slice(0, 16);
}

function isPrivateKey(key: SigningKey): boolean {
  try {
    return createPrivateKey({ key, format: 'jwk' }).type === 'private';
  } catch {
    return false;
  }
}
