import { X509Certificate } from 'node:crypto';
import { SamlRefusal } from './refusal.ts';

/** NIST SP 800-57: less than 112 bits of strength is over. */
const leastModulusBits = 2048;

/**
 * The certificates that an identity provider signs with, as PEM: two of them while one takes over from the other. Their names and
 * dates are not looked at, only their keys: they were agreed on, not vouched for by anybody (SAML metadata interoperability, 2.5).
 * @throws `certificate_unusable` for one that cannot be read, or whose key is none of RSA with 2048 bits.
 */
export function parseCertificates(certificates: readonly string[]): X509Certificate[] {
  return certificates.map((text) => {
    const parsed = parseCertificate(text);
    const { asymmetricKeyType, asymmetricKeyDetails } = parsed.publicKey;
    if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < leastModulusBits)
      throw new SamlRefusal('certificate_unusable', 'not RSA with 2048 bits');
    return parsed;
  });
}

function parseCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(
      text.includes('-----BEGIN') ? text : Buffer.from(text.replace(/\s+/g, ''), 'base64'),
    );
  } catch (error) {
    throw new SamlRefusal('certificate_unusable', 'unreadable', { cause: error });
  }
}
