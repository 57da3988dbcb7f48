import { createPrivateKey } from 'node:crypto';
import type { Keys } from '../../lib/keys.ts';
import { createSelfSignedCertificate } from './self-signed-certificate.ts';
import type { SamlSigningKey } from './service-provider.ts';

/**
 * The keys that sign our messages: the service's RSA signing keys in their order, so that the next key is in the
 * metadata before it signs. Other key types are skipped because most identity providers support only RSA. Without an
 * RSA key, requests are unsigned and the metadata says so.
 */
export function deriveSamlSigningKeys({ signing }: Pick<Keys, 'signing'>): SamlSigningKey[] {
  return signing.keys
    .filter(({ kty }) => kty === 'RSA')
    .map((jwk) => {
      const key = createPrivateKey({ key: jwk, format: 'jwk' });
      return {
        privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
        certificate: createSelfSignedCertificate(key, 'Anteroom'),
      };
    });
}
