import type { Locale } from '@anteroom/contract';
import type { MailFrame } from '../messages/mail-layout.ts';
import type { Client } from '../openid/clients-store.ts';
import type { Services } from '../services.ts';
import { findOrganisationNames } from '../sites/organisation-names.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** What stands around a mail to a user: whose product it is, which organisations the account belongs to, and where help is. */
export async function findMailFrame(
  { config }: Pick<Services, 'config'>,
  database: Database | DatabaseTransaction,
  { personId, language, client }: { personId: string; language: Locale; client?: Client | undefined },
): Promise<MailFrame> {
  return {
    language,
    productName: client?.branding?.productName ?? undefined,
    organisation: await findOrganisationNames(database, personId, language),
    supportUrl: config.frontEnd.globalSupportUrl,
  };
}
