import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * What the database knows an unguessable value by. The provider's ids are bearer tokens (codes, access and refresh
 * tokens, the session cookie): a copy of the database must not hold one that works. They carry 126 random bits or more,
 * so a plain SHA-256 cannot be searched and needs no key.
 */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether `known` is the fingerprint of `secret`, in constant time. */
export function isFingerprintOf(known: string, secret: string): boolean {
  const expected = Buffer.from(known);
  const actual = Buffer.from(fingerprint(secret));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
