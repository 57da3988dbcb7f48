import type { Database } from '../store/schema.ts';
import { toSite } from './sites-store.ts';
import type { Site } from './sites-store.ts';

/** A site as one person may use it. */
export type OwnSite = Site & { entitlementRequirementsMet: boolean; clientEntitlement: string };

export type OwnSites = {
  /** Those that the person belongs to. */
  sites: OwnSite[];
  /** Parents of these that the person does not belong to: they head a group and cannot be entered. */
  parents: Site[];
};

/** Every site of a person in two statements, however many there are. */
export async function listOwnSites(database: Database, personId: string): Promise<OwnSites> {
  const rows = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .selectAll('sites')
    .select(['memberships.entitlement_requirements_met', 'memberships.client_entitlement'])
    .where('memberships.person_id', '=', personId)
    .where('sites.disabled_at', 'is', null)
    .execute();
  const own = new Set(rows.map((row) => row.id));
  const foreign = new Set(rows.flatMap(({ parent_id: id }) => (id === null || own.has(id) ? [] : [id])));
  const parents =
    foreign.size === 0
      ? []
      : await database
          .selectFrom('sites')
          .selectAll()
          .where('id', 'in', [...foreign])
          .where('disabled_at', 'is', null)
          .execute();
  return {
    sites: rows.map((row) => ({
      ...toSite(row),
      entitlementRequirementsMet: row.entitlement_requirements_met,
      clientEntitlement: row.client_entitlement,
    })),
    parents: parents.map(toSite),
  };
}
