import { calls, recentSitesMaximumCount } from '@anteroom/contract';
import type { BookVersion } from '@anteroom/contract';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import * as v from 'valibot';
import type { FactorOwner, FactorPolicy } from '../factors/factor.ts';
import { hasPasskey, toFactorOwner } from '../factors/factor.ts';
import { parseAccepted } from '../factors/factors.ts';
import type { Database } from '../store/schema.ts';
import { asksForSecondFactor, listedColumns, toListed } from './sites-store.ts';
import type { ListedSite } from './sites-store.ts';

/** A site with the user's membership. */
export type OwnSite = ListedSite &
  FactorPolicy & {
    directorToDosEnabled: boolean;
    entitlementRequirementsMet: boolean;
    clientEntitlement: string;
    /** Whether the identity provider of the site has signed this user in before. */
    isSignedInByCompany: boolean;
    /** The versions of the site's books that the user has seen. */
    seenBooks: BookVersion[];
  };

export type OwnSites = {
  /** The sites of which the user is a member. */
  sites: OwnSite[];
  /** Parents of these sites without a membership of the user. They are the headers of groups. */
  parents: ListedSite[];
};

export type SiteListPage = OwnSites & {
  firstName: string;
  lastName: string;
  boardsUserName: string;
  owner: FactorOwner;
  recentSitesFirst: boolean;
  /** Names of the most recently selected sites, latest first; empty unless the user has enabled this. */
  recentSites: string[];
  /** Names of the sites that the user has pinned. */
  pinnedSites: string[];
};

const bookVersions = calls.getSiteTodo.answer.entries.books;

/**
 * Reads all data for the list of sites in one statement; undefined for a disabled user. The plan must not depend on
 * statistics, which a new database does not have yet. Therefore each membership reads its site by key: the planner does
 * not flatten a lateral subquery with `offset 0`, so it cannot scan the whole table.
 * docs/decisions/010-the-site-list-is-one-statement.md compares the costs of the alternatives.
 */
export async function findSiteListPage(
  database: Database,
  { userId, clientId }: { userId: string; clientId: string | undefined },
): Promise<SiteListPage | undefined> {
  const row = await siteListPageQuery(database, userId, clientId).executeTakeFirst();
  return (
    row && {
      firstName: row.first_name,
      lastName: row.last_name,
      boardsUserName: row.boards_user_name ?? row.user_name,
      owner: toFactorOwner(row, row.has_app === true),
      recentSitesFirst: row.recent_sites_first,
      recentSites: row.recent.map(({ name }) => name),
      pinnedSites: row.own.filter(({ pinned }) => pinned).map(({ name }) => name),
      sites: row.own.map((site) => ({
        ...toListed(site),
        asksForSecondFactor: site.asks_for_second_factor,
        allowsAuthenticatorApps: site.authenticator_apps,
        secondFactors: parseAccepted(site.second_factors),
        directorToDosEnabled: site.director_to_dos_enabled,
        entitlementRequirementsMet: site.entitlement_requirements_met,
        clientEntitlement: site.label ?? site.client_entitlement,
        isSignedInByCompany: row.companies.some(({ connection_id: id }) => id === site.connection_id),
        seenBooks: site.seen_books === null ? [] : (v.parse(bookVersions, site.seen_books) ?? []),
      })),
      parents: row.parents.map(toListed),
    }
  );
}

/** The query of `findSiteListPage`. It is exported for a test that checks its plan. */
export function siteListPageQuery(database: Database, userId: string, clientId: string | undefined) {
  return (
    database
      // Materialised, because the statement uses it three times.
      .with(
        (cte) => cte('own').materialized(),
        (query) =>
          query
            .selectFrom('memberships')
            .innerJoinLateral(
              (lateral) =>
                lateral
                  .selectFrom('sites')
                  .select([
                    ...listedColumns,
                    'sites.authenticator_apps',
                    'sites.second_factors',
                    'sites.connection_id',
                    'sites.director_to_dos_enabled',
                  ])
                  .select(asksForSecondFactor)
                  .whereRef('sites.id', '=', 'memberships.site_id')
                  .where('sites.disabled_at', 'is', null)
                  .offset(sql.lit(0))
                  .as('site'),
              (join) => join.onTrue(),
            )
            .leftJoin('client_entitlements', (join) =>
              join
                .onRef('client_entitlements.user_id', '=', 'memberships.user_id')
                .onRef('client_entitlements.site_id', '=', 'memberships.site_id')
                .on('client_entitlements.client_id', '=', clientId ?? null),
            )
            .leftJoin('to_dos', (join) =>
              join
                .onRef('to_dos.user_id', '=', 'memberships.user_id')
                .onRef('to_dos.site_id', '=', 'memberships.site_id'),
            )
            .selectAll('site')
            .select([
              'memberships.entitlement_requirements_met',
              'memberships.client_entitlement',
              'memberships.chosen_at',
              'memberships.pinned',
              'client_entitlements.label',
              'to_dos.seen_books',
            ])
            .where('memberships.user_id', '=', userId),
      )
      .selectFrom('users')
      .select(['first_name', 'last_name', 'user_name', 'boards_user_name', 'phone_number'])
      .select(['email', 'verified_email', 'recent_sites_first', hasPasskey])
      .select((user) => [
        user
          .exists(
            user
              .selectFrom('authenticator_apps')
              .select('user_id')
              .whereRef('authenticator_apps.user_id', '=', 'users.id')
              .offset(sql.lit(0)),
          )
          .as('has_app'),
        jsonArrayFrom(
          user
            .selectFrom('external_identities')
            .select('connection_id')
            .whereRef('external_identities.user_id', '=', 'users.id'),
        ).as('companies'),
        jsonArrayFrom(user.selectFrom('own').selectAll()).as('own'),
        jsonArrayFrom(
          user
            .selectFrom((headers) =>
              headers
                .selectFrom('own')
                .select('parent_id')
                .distinct()
                .where('parent_id', 'is not', null)
                .where('parent_id', 'not in', headers.selectFrom('own').select('id'))
                .as('header'),
            )
            .innerJoinLateral(
              (lateral) =>
                lateral
                  .selectFrom('sites')
                  .select(listedColumns)
                  .whereRef('sites.id', '=', 'header.parent_id')
                  .where('sites.disabled_at', 'is', null)
                  .offset(sql.lit(0))
                  .as('parent'),
              (join) => join.onTrue(),
            )
            .selectAll('parent'),
        ).as('parents'),
        jsonArrayFrom(
          user
            .selectFrom('own')
            .select('name')
            .whereRef('users.recent_sites_first', '=', sql.lit(true))
            .where('chosen_at', 'is not', null)
            .orderBy('chosen_at', 'desc')
            .limit(sql.lit(recentSitesMaximumCount)),
        ).as('recent'),
      ])
      .where('users.id', '=', userId)
      .where('users.status', '=', 'active')
  );
}
