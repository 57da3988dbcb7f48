import { createPrivateKey } from 'node:crypto';
import type { Keys } from '../../lib/keys.ts';
import { createSelfSignedCertificate } from './self-signed-certificate.ts';
import type { SamlSigningKey } from './service-provider.ts';

/**
 * What our messages are signed with: the service's own signing keys of RSA kind, in their order, so that the next one is in the
 * metadata before it signs. Keys of other kinds are left out, because most identity providers know RSA alone; without one, requests go
 * unsigned and the metadata says so.
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
