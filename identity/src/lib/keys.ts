import { createHash, createSecretKey, hkdfSync } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import type { KeyRing } from './keyed-hash.ts';

/** A private signing key in the provider's format. */
export type SigningKey = JsonWebKey & { kid: string; use: 'sig'; alg: string };

/** The settings that contain keys. */
export type KeySetting = 'SECRETS' | 'SIGNING_JWKS' | 'REGION_SIGNING_JWKS';

/** The ids of the keys that a process knows, by setting, the current one first. */
export type KeyIds = Partial<Record<KeySetting, readonly string[]>>;

/** A short id that distinguishes secrets. It does not help an attacker to guess their 256 bits. */
export function secretId(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 8);
}

/** The keys of the service, each derived from the secrets for one purpose. */
export type Keys = {
  ids: KeyIds;
  sessionIds: KeyRing;
  antiForgery: KeyRing;
  /** Hashes the names in the keys of limit rows, so that the table contains no names. */
  limits: KeyRing;
  /** Hashes secrets that are stored only as a keyed hash: one-time codes, reset tokens, device cookies. */
  oneTimeSecrets: KeyRing;
  /** Encrypts secrets of other organisations' providers (`sealed.ts`). */
  clientSecrets: KeyRing;
  /** Encrypts the secrets of authenticator apps, and derives the secrets offered at enrolment. */
  authenticatorSecrets: KeyRing;
  /** Encrypts the accounts that a browser remembers. */
  rememberedAccounts: KeyRing;
  /** Signs the provider's cookies. */
  providerCookies: string[];
  /** The provider's signing keys, the current one first. */
  signing: { keys: SigningKey[] };
  /** Signs tokens for other regions, the current key first; absent if there is only one region. */
  regionSigning?: { keys: SigningKey[] } | undefined;
};

/** Derives one key per purpose from each secret (HKDF-SHA-256, RFC 5869). The first secret and the first signing key are the current ones. */
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
    rememberedAccounts: ring('remembered accounts'),
    providerCookies: ring('provider cookies').map((key) => key.export().toString('base64url')),
    signing,
  };
}
