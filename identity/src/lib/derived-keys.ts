import { createECDH, createPrivateKey, hkdfSync } from 'node:crypto';
import type { SigningKey } from './keys.ts';
import { keyIdOf } from './signing-keys.ts';

// Each RSA key has an ES256 key, derived from its private half (decision 049). So every node with the RSA key
// also has the ES256 key, and both keys are published, used and retired together.

/** The keys in their order, each RSA key followed by its ES256 key. */
export function withDerivedKeys(keys: readonly SigningKey[]): SigningKey[] {
  return keys.flatMap((key) => {
    const derived = findDerivedKey(key);
    return derived === undefined ? [key] : [key, derived];
  });
}

/** The ES256 key derived from an RSA key; undefined for other kinds of keys. */
export function findDerivedKey(key: SigningKey): SigningKey | undefined {
  if (key.kty !== 'RSA') return undefined;
  const secret = deriveScalar(key);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(secret);
  // uncompressed: one byte for the form, then both coordinates (SEC 1, 2.3.3)
  const point = pair.getPublicKey();
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  return { ...jwk, d: secret.toString('base64url'), kid: keyIdOf(jwk), use: 'sig', alg: 'ES256' };
}

/** Finds the signing key for the algorithm: the current key, which is the first, or the one derived from it. */
export function findSigner(algorithm: string, keys: readonly SigningKey[]): SigningKey | undefined {
  return withDerivedKeys(keys.slice(0, 1)).find(({ alg }) => alg === algorithm);
}

/** The order of P-256 (SP 800-186, 3.2.1.3). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * HKDF-SHA-256 (RFC 5869) yields 64 bits more than the order has, so that the remainder is nearly uniform (FIPS 186-5,
 * A.2.1).
 */
function deriveScalar(key: SigningKey): Buffer {
  // The export normalises `d`, because the setting can contain the same key with leading zeros.
  const { d = '' } = createPrivateKey({ key, format: 'jwk' }).export({ format: 'jwk' });
  const material = Buffer.from(d, 'base64url');
  const bytes = Buffer.from(hkdfSync('sha256', material, 'anteroom', `ES256 key beside ${key.kid}`, 40));
  const scalar = (BigInt(`0x${bytes.toString('hex')}`) % (order - 1n)) + 1n;
  return Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
}
