import * as v from 'valibot';
import type { Database } from '../../store/schema.ts';
import { samlSettings } from '../connection.ts';
import { parseCertificates } from './certificates.ts';

export type CertificateExpiry = { connection: string; expiresAt: Date };

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
