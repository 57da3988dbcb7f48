import type { RawBuilder } from 'kysely';
import type { Exchange } from '../http/exchange.ts';
import { compileOnce } from '../store/compiled-query.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { meetsRequirement } from '../factors/factors.ts';
import type { FactorUser } from '../factors/factors.ts';
import { resolveNamedSite } from './resolve-site.ts';
import { siteColumns, siteNameKey, toSite } from './sites-store.ts';
import type { Site, SiteRow } from './sites-store.ts';

/** A site with the membership of one user. */
export type SiteMembership = Site & {
  isMember: boolean;
  /** If false, the list shows the site, but the user cannot enter it. */
  entitlementMet: boolean;
};

/** Why a user cannot enter a site; undefined if the user can, in this region or in the site's home region. */
export function findEntryRefusal(
  site: SiteMembership | undefined,
  user: FactorUser,
): 'not-a-member' | 'second-factor' | 'entitlement' | undefined {
  if (site?.isMember !== true) return 'not-a-member';
  if (!meetsRequirement(site, user)) return 'second-factor';
  return site.entitlementMet ? undefined : 'entitlement';
}

/**
 * Reads a site with a user's membership. For an unknown user (`userId` undefined) it runs the same statement, so that
 * its duration does not reveal whether the user exists.
 */
export async function findSiteMembership(
  database: Database,
  wanted: { name: string } | { id: string },
  userId: string | undefined,
): Promise<SiteMembership | undefined> {
  const { rows } = await selectSiteMembership(database, wanted, userId ?? '').execute(database);
  const [row] = rows;
  return row && toSiteMembership(row);
}

/** The query of `findSiteMembership`, for use in larger statements. */
export function selectSiteMembership(
  database: Database,
  wanted: { name: string } | { id: string },
  userId: string | RawBuilder<string>,
) {
  return 'id' in wanted
    ? selectById(database, { id: wanted.id, userId })
    : selectByName(database, { name: siteNameKey(wanted.name), userId });
}

const selectWithMembership = (database: Database | DatabaseTransaction, userId: string) =>
  database
    .selectFrom('sites')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.site_id', '=', 'sites.id').on('memberships.user_id', '=', userId),
    )
    .select(siteColumns)
    .select(['memberships.user_id as member_id', 'memberships.entitlement_requirements_met'])
    .where('sites.disabled_at', 'is', null);
const selectById = compileOnce((database, { id, userId }: { id: string; userId: string }) =>
  selectWithMembership(database, userId).where('sites.id', '=', id),
);
const selectByName = compileOnce((database, { name, userId }: { name: string; userId: string }) =>
  selectWithMembership(database, userId).where('sites.name', '=', name),
);

export function toSiteMembership(
  row: SiteRow & { member_id: string | null; entitlement_requirements_met: boolean | null },
): SiteMembership {
  return {
    ...toSite(row),
    isMember: row.member_id !== null,
    entitlementMet: row.entitlement_requirements_met === true,
  };
}

/** What an earlier statement of the same request has read: the site of that name for that user, if there is one. */
export type ReadSite = { name: string; userId: string | undefined; site: SiteMembership | undefined };

/** Finds the site for a visitor's input, with the user's membership. */
export async function findNamedSiteMembership(
  database: Database,
  typed: string,
  userId: string | undefined,
  exchange: Pick<Exchange, 'guessSite'>,
  read?: ReadSite,
): Promise<SiteMembership | undefined> {
  return await resolveNamedSite(database, typed, exchange, async (name) =>
    read?.name === name && read.userId === userId
      ? read.site
      : await findSiteMembership(database, { name }, userId),
  );
}

/** With more memberships than this, the user always selects a site. */
const mostExamined = 50;

/** The only site that the user can enter; undefined if there is none, or more than one. */
export async function findOnlySite(
  database: Database,
  userId: string,
  user: FactorUser,
): Promise<SiteMembership | undefined> {
  const rows = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .select(siteColumns)
    .where('memberships.user_id', '=', userId)
    .where('memberships.entitlement_requirements_met', '=', true)
    .where('sites.disabled_at', 'is', null)
    .limit(mostExamined)
    .execute();
  const open = rows
    .map((row) => ({ ...toSite(row), isMember: true, entitlementMet: true }))
    .filter((site) => findEntryRefusal(site, user) === undefined);
  return open.length === 1 && rows.length < mostExamined ? open[0] : undefined;
}

/** The sites of a user; a group's own site comes before its children. */
export async function listSitesOf(database: Database, userId: string): Promise<Site[]> {
  const rows = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
    .select(siteColumns)
    .where('memberships.user_id', '=', userId)
    .where('sites.disabled_at', 'is', null)
    .orderBy((order) => order.fn.coalesce('parents.display_name', 'sites.display_name'))
    .orderBy('sites.parent_id', (order) => order.asc().nullsFirst())
    .orderBy('sites.sequence')
    .execute();
  return rows.map(toSite);
}

/**
 * Lists the user's sites with passwords that require a second factor now (`asksForSecondFactor`) or from a later day.
 */
export async function listSitesRequiringFactor(
  database: Database | DatabaseTransaction,
  userId: string,
): Promise<Site[]> {
  const rows = await database
    .selectFrom('memberships')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .select(siteColumns)
    .where('memberships.user_id', '=', userId)
    .where('sites.second_factor_required', '=', true)
    .where('sites.allow_password_entry', '=', true)
    .where('sites.disabled_at', 'is', null)
    .execute();
  return rows.map(toSite);
}

/** Pins a site in the user's list, or unpins it; returns whether the user is a member of such a site. */
export async function pinSite(
  database: Database,
  { userId, site, isPinned }: { userId: string; site: string; isPinned: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('memberships')
    .from('sites')
    .set({ pinned: isPinned })
    .whereRef('sites.id', '=', 'memberships.site_id')
    .where('sites.name', '=', site)
    .where('sites.disabled_at', 'is', null)
    .where('memberships.user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records that a user has selected a site on the list. */
export async function recordSiteSelection(
  database: Database,
  { userId, siteId, at }: { userId: string; siteId: string; at: Date },
): Promise<void> {
  await database
    .updateTable('memberships')
    .set({ chosen_at: at })
    .where('user_id', '=', userId)
    .where('site_id', '=', siteId)
    .execute();
}
