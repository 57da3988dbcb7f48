import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { KeyRing } from './keyed-hash.ts';
import type { Random } from './random.ts';

/** AES-256-GCM: a 96-bit nonce and a 128-bit tag (NIST SP 800-38D). */
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts a secret with the ring's current key, bound to `context`. */
export function seal(ring: KeyRing, secret: string, context: string, random: Random): string {
  const nonce = random.bytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', ring[0], nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Decrypts with any key of the ring; undefined if none fits or the context differs. */
export function unseal(ring: KeyRing, sealed: string, context: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const nonce = bytes.subarray(0, nonceBytes);
  const text = bytes.subarray(nonceBytes, -tagBytes);
  for (const key of ring) {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce)
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    } catch {
      // another key encrypted the secret; try the next one
    }
  }
  return undefined;
}
