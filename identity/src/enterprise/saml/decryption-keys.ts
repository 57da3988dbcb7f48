import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createSelfSignedCertificate } from './self-signed-certificate.ts';

/** The present key and the one before it: a provider reads our metadata once a day, or when its operator gets to it. */
const mostKeys = 2;

/**
 * A new RSA key in front of those that a connection has, as one text of PEM blocks. It decrypts and does nothing else: a key that also
 * signed could be asked for one by means of the other.
 */
export function addDecryptionKey(present: string | undefined): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
  const added = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return [added, ...parseDecryptionKeys(present ?? '')].slice(0, mostKeys).join('');
}

/** The PEM blocks of the text, the present key first. */
export function parseDecryptionKeys(text: string): string[] {
  return text.match(/-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----\n/g) ?? [];
}

/** What the metadata publishes for a key. PEM. */
export function certificateOf(key: string): string {
  return createSelfSignedCertificate(createPrivateKey(key), 'Anteroom');
}
