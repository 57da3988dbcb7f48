import { parseSitePolicy } from '../passwords/policy.ts';
import type { SitePasswordPolicy } from '../passwords/policy.ts';
import { asksForSecondFactor } from '../sites/sites-store.ts';
import type { Database } from '../store/schema.ts';

export type OwnSite = {
  name: string;
  displayName: string;
  secondFactorRequired: boolean;
  allowPasswordEntry: boolean;
  passwordPolicy: SitePasswordPolicy | undefined;
};

/** The sites of a user; a group's own site comes before its children. */
export async function listSitesOf(database: Database, personId: string): Promise<OwnSite[]> {
  const rows = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
    .selectAll('sites')
    .select(asksForSecondFactor)
    .where('memberships.person_id', '=', personId)
    .where('sites.disabled_at', 'is', null)
    .orderBy((order) => order.fn.coalesce('parents.display_name', 'sites.display_name'))
    .orderBy('sites.parent_id', (order) => order.asc().nullsFirst())
    .orderBy('sites.sequence')
    .execute();
  return rows.map((row) => ({
    name: row.name,
    displayName: row.display_name,
    secondFactorRequired: row.asks_for_second_factor,
    allowPasswordEntry: row.allow_password_entry,
    passwordPolicy: parseSitePolicy(row.password_policy ?? undefined),
  }));
}
