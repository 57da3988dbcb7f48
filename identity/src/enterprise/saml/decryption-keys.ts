import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createSelfSignedCertificate } from './self-signed-certificate.ts';

/** The current and the previous key: a provider reads our metadata once a day, or when its operator does so by hand. */
const mostKeys = 2;

/**
 * Puts a new RSA key before the connection's existing keys and returns them as PEM blocks. The key is used for
 * decryption only, as using it for signing too would let one operation be abused for the other.
 */
export function addDecryptionKey(present: string | undefined): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
  const added = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return [added, ...parseDecryptionKeys(present ?? '')].slice(0, mostKeys).join('');
}

/** Splits PEM blocks; the current key is first. */
export function parseDecryptionKeys(text: string): string[] {
  return text.match(/-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----\n/g) ?? [];
}

/** The certificate for the metadata, as PEM. */
export function certificateOf(key: string): string {
  return createSelfSignedCertificate(createPrivateKey(key), 'Anteroom');
}
