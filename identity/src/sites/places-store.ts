import type { Database } from '../store/schema.ts';
import { siteNameKey, toSite } from './sites-store.ts';
import type { Site } from './sites-store.ts';

/** A site as one person stands to it. */
export type Place = Site & {
  isMember: boolean;
  /** Without it the site is shown and cannot be entered. */
  entitlementMet: boolean;
};

/**
 * A site and what the person is there, in one statement, which is the same for somebody who is unknown (`personId`
 * undefined): the time that it takes tells nothing.
 */
export async function findPlace(
  database: Database,
  wanted: { name: string } | { id: string },
  personId: string | undefined,
): Promise<Place | undefined> {
  const row = await database
    .selectFrom('sites')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.site_id', '=', 'sites.id').on('memberships.person_id', '=', personId ?? ''),
    )
    .selectAll('sites')
    .select(['memberships.person_id as member_id', 'memberships.entitlement_requirements_met'])
    .where('sites.disabled_at', 'is', null)
    .where((where) =>
      'id' in wanted ? where('sites.id', '=', wanted.id) : where('sites.name', '=', siteNameKey(wanted.name)),
    )
    .executeTakeFirst();
  return (
    row && {
      ...toSite(row),
      isMember: row.member_id !== null,
      entitlementMet: row.entitlement_requirements_met === true,
    }
  );
}
