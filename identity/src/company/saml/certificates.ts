import { X509Certificate } from 'node:crypto';
import * as v from 'valibot';
import type { Database } from '../../store/schema.ts';
import { samlSettings } from '../connection.ts';
import { SamlRefusal } from './refusal.ts';

/** NIST SP 800-57: at least 112 bits of security strength. */
const leastModulusBits = 2048;

/**
 * The identity provider's signing certificates as PEM; two during a key rollover. Only the keys matter. Names and dates
 * are ignored, because the operators exchanged the certificates directly, without a certificate authority (SAML
 * metadata interoperability, 2.5).
 * @throws `certificate_unusable` if a certificate cannot be parsed, or its key is not RSA with at least 2048 bits
 */
export function parseCertificates(certificates: readonly string[]): X509Certificate[] {
  return certificates.map((text) => {
    const parsed = parseCertificate(text);
    const { asymmetricKeyType, asymmetricKeyDetails } = parsed.publicKey;
    if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < leastModulusBits)
      throw new SamlRefusal('certificate_unusable', 'not RSA with at least 2048 bits');
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

type CertificateExpiry = { connection: string; expiresAt: Date };

/** The expiry of the last certificate of each enabled SAML connection: the provider must use a new one by then. */
export async function findCertificateExpiries(database: Database): Promise<CertificateExpiry[]> {
  const rows = await database
    .selectFrom('connections')
    .select(['name', 'settings'])
    .where('kind', '=', 'saml')
    .where('disabled_at', 'is', null)
    .execute();
  return rows.map(({ name, settings }) => {
    const certificates = parseCertificates(v.parse(samlSettings, settings).certificates);
    const ends = certificates.map(({ validTo }) => Date.parse(validTo));
    return { connection: name, expiresAt: new Date(Math.max(...ends)) };
  });
}
