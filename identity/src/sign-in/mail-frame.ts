import type { Locale } from '@anteroom/contract';
import type { MailFrame } from '../messages/mail-layout.ts';
import type { Client } from '../openid/clients-store.ts';
import type { Services } from '../services.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** A longer list would not help the reader of a mail. */
const namesAtMost = 3;

/** The frame of a mail to a user: the product, the organisations of the account, and the support address. */
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

/** The names of a user's organisations as a list in the given language; undefined if there are none or too many. */
async function findOrganisationNames(
  database: Database | DatabaseTransaction,
  personId: string,
  language: Locale,
): Promise<string | undefined> {
  const rows = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
    .select((select) => select.fn.coalesce('parents.display_name', 'sites.display_name').as('name'))
    .distinct()
    .where('memberships.person_id', '=', personId)
    .where('sites.disabled_at', 'is', null)
    .orderBy('name')
    .limit(namesAtMost + 1)
    .execute();
  if (rows.length === 0 || rows.length > namesAtMost) return undefined;
  return new Intl.ListFormat(language).format(rows.map(({ name }) => name));
}
