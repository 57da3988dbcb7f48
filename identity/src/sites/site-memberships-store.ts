import type { Exchange } from '../http/exchange.ts';
import type { Database } from '../store/schema.ts';
import { resolveNamedSite } from './resolve-site.ts';
import { siteNameKey, toSite } from './sites-store.ts';
import type { Site } from './sites-store.ts';

/** A site as one person stands to it. */
export type SiteMembership = Site & {
  isMember: boolean;
  /** Without it the site is shown and cannot be entered. */
  entitlementMet: boolean;
};

/** Why a person may not enter a site; undefined when they may. Whether it is entered elsewhere is another question. */
export function whyClosed(
  place: SiteMembership | undefined,
  person: { secondFactor: string | undefined },
): 'not-a-member' | 'second-factor' | 'entitlement' | undefined {
  if (place?.isMember !== true) return 'not-a-member';
  if (place.asksForSecondFactor && person.secondFactor === undefined) return 'second-factor';
  return place.entitlementMet ? undefined : 'entitlement';
}

/**
 * A site and what the person is there, in one statement, which is the same for somebody who is unknown (`personId`
 * undefined): the time that it takes tells nothing.
 */
export async function findSiteMembership(
  database: Database,
  wanted: { name: string } | { id: string },
  personId: string | undefined,
): Promise<SiteMembership | undefined> {
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

/** The same for what a visitor typed as the site. */
export async function findNamedSiteMembership(
  database: Database,
  typed: string,
  personId: string | undefined,
  exchange: Pick<Exchange, 'guessSite'>,
): Promise<SiteMembership | undefined> {
  return await resolveNamedSite(database, typed, exchange, (name) =>
    findSiteMembership(database, { name }, personId),
  );
}

/** More than this many closed sites, and the person chooses. */
const mostExamined = 50;

/** The only site that the person may enter; undefined where there are several, or none. */
export async function findOnlySite(
  database: Database,
  person: { id: string; secondFactor: string | undefined },
): Promise<SiteMembership | undefined> {
  const rows = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .selectAll('sites')
    .where('memberships.person_id', '=', person.id)
    .where('memberships.entitlement_requirements_met', '=', true)
    .where('sites.disabled_at', 'is', null)
    .limit(mostExamined)
    .execute();
  const open = rows
    .map((row) => ({ ...toSite(row), isMember: true, entitlementMet: true }))
    .filter((place) => whyClosed(place, person) === undefined);
  return open.length === 1 && rows.length < mostExamined ? open[0] : undefined;
}
