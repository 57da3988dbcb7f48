import { createPrivateKey } from 'node:crypto';
import * as v from 'valibot';
import type { SigningKey } from './keys.ts';

const jwk = v.looseObject({
  kid: v.pipe(v.string(), v.nonEmpty()),
  alg: v.picklist(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']),
  kty: v.string(),
  d: v.string(),
});
const jwks = v.object({ keys: v.pipe(v.array(jwk), v.minLength(1)) });

/** A JWK set of private keys out of text; undefined when it is none, or one of its keys cannot sign. */
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

function isPrivateKey(key: SigningKey): boolean {
  try {
    return createPrivateKey({ key, format: 'jwk' }).type === 'private';
  } catch {
    return false;
  }
}
