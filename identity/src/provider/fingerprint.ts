import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * The hash under which the database stores an unguessable value. The provider's ids are bearer tokens (codes, access
 * and refresh tokens, the session cookie), and a copy of the database must not contain usable ones. They have at least
 * 126 random bits, so a plain SHA-256 without a key resists a brute-force search.
 */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares `known` with the fingerprint of `secret` in constant time. */
export function isFingerprintOf(known: string, secret: string): boolean {
  const expected = Buffer.from(known);
  const actual = Buffer.from(fingerprint(secret));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
