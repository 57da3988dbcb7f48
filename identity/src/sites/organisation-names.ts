import type { Locale } from '@anteroom/contract';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** More names than this tell a reader nothing. */
const namesAtMost = 3;

/** The organisations that a user belongs to, as a list in a language; undefined without any, and where there are too many to name. */
export async function findOrganisationNames(
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
