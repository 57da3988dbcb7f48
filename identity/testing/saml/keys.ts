import { generateKeyPairSync } from 'node:crypto';
import type { Keys } from '../../src/lib/keys.ts';
import { createTestKeys } from '../application.ts';

/** The keys of a service that signs SAML messages: an RSA key in addition to the key that signs tokens. */
export function createKeysWithRsa(): Keys {
  const keys = createTestKeys();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rsa = { ...privateKey.export({ format: 'jwk' }), kid: 'rsa', use: 'sig', alg: 'RS256' } as const;
  return { ...keys, signing: { keys: [...keys.signing.keys, rsa] } };
}
