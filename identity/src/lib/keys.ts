import { createSecretKey, hkdfSync } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import type { KeyRing } from './keyed-hash.ts';

/** A private signing key as the provider takes it. */
export type SigningKey = JsonWebKey & { kid: string; use: 'sig'; alg: string };

/** Every key of the service: each purpose has its own, derived from the secrets. */
export type Keys = {
  sessionIds: KeyRing;
  antiForgery: KeyRing;
  /** Keys of limits' rows, so that the table names nobody. */
  limits: KeyRing;
  /** For secrets that are kept only as a keyed hash: one-time codes, reset tokens, device cookies. */
  oneTimeSecrets: KeyRing;
  /** Encrypts what other organisations' providers have given us (`sealed.ts`). */
  clientSecrets: KeyRing;
  /** The provider's cookie signatures. */
  providerCookies: string[];
  /** The provider's signing keys, the present one first. */
  signing: { keys: SigningKey[] };
  /** What this region signs its words to other regions with, the present one first; absent where there is one region alone. */
  regionSigning?: { keys: SigningKey[] } | undefined;
};

/** One key for each purpose out of each secret (HKDF-SHA-256, RFC 5869), the present secret's first. */
export function deriveKeys(secrets: readonly [string, ...string[]], signing: { keys: SigningKey[] }): Keys {
  const derive = (secret: string, purpose: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'anteroom', purpose, 32)));
  const ring = (purpose: string): KeyRing => {
    const [present, ...older] = secrets;
    return [derive(present, purpose), ...older.map((secret) => derive(secret, purpose))];
  };
  return {
    sessionIds: ring('session ids'),
    antiForgery: ring('anti-forgery'),
    limits: ring('limits'),
    oneTimeSecrets: ring('one-time secrets'),
    clientSecrets: ring('client secrets'),
    providerCookies: ring('provider cookies').map((key) => key.export().toString('base64url')),
    signing,
  };
}
