import { createHash, createSecretKey, hkdfSync } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import type { KeyRing } from './keyed-hash.ts';

/** A private signing key as the provider takes it. */
export type SigningKey = JsonWebKey & { kid: string; use: 'sig'; alg: string };

/** Settings whose values are keys. */
export type KeySetting = 'SECRETS' | 'SIGNING_JWKS' | 'REGION_SIGNING_JWKS';

/** The ids of the keys that a process knows, by setting, the one in use first. */
export type KeyIds = Partial<Record<KeySetting, readonly string[]>>;

/** Enough to tell secrets apart, and no help to guess 256 bits. */
export function secretId(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 8);
}

/** Every key of the service: each purpose has its own, derived from the secrets. */
export type Keys = {
  ids: KeyIds;
  sessionIds: KeyRing;
  antiForgery: KeyRing;
  /** Keys of limits' rows, so that the table names nobody. */
  limits: KeyRing;
  /** For secrets that are kept only as a keyed hash: one-time codes, reset tokens, device cookies. */
  oneTimeSecrets: KeyRing;
  /** Encrypts what other organisations' providers have given us (`sealed.ts`). */
  clientSecrets: KeyRing;
  /** Encrypts the shared secrets of authenticator apps, and makes those that are offered. */
  authenticatorSecrets: KeyRing;
  /** The provider's cookie signatures. */
  providerCookies: string[];
  /** The provider's signing keys, the present one first. */
  signing: { keys: SigningKey[] };
  /** What this region signs its words to other regions with, the present one first; absent where there is one region alone. */
  regionSigning?: { keys: SigningKey[] } | undefined;
};

/** One key for each purpose out of each secret (HKDF-SHA-256, RFC 5869). The first secret and the first signing key are those in use. */
export function deriveKeys(secrets: readonly [string, ...string[]], signing: { keys: SigningKey[] }): Keys {
  const derive = (secret: string, purpose: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'anteroom', purpose, 32)));
  const ring = (purpose: string): KeyRing => {
    const [present, ...older] = secrets;
    return [derive(present, purpose), ...older.map((secret) => derive(secret, purpose))];
  };
  return {
    ids: { SECRETS: secrets.map(secretId), SIGNING_JWKS: signing.keys.map(({ kid }) => kid) },
    sessionIds: ring('session ids'),
    antiForgery: ring('anti-forgery'),
    limits: ring('limits'),
    oneTimeSecrets: ring('one-time secrets'),
    clientSecrets: ring('client secrets'),
    authenticatorSecrets: ring('authenticator secrets'),
    providerCookies: ring('provider cookies').map((key) => key.export().toString('base64url')),
    signing,
  };
}
