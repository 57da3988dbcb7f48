import type { Expression } from 'kysely';
import type { Database } from '../store/schema.ts';

/** The user's data for claims in tokens. `site` is null if the user cannot enter the site. */
export type Subject = {
  first_name: string;
  last_name: string;
  email: string | null;
  site: string | null;
  site_name: string | null;
  parent_site: string | null;
};

/**
 * The query of an active user. Includes the site only if it is enabled and the user is an entitled member. `siteName` is a
 * site name in its stored form.
 */
export function selectSubject(
  database: Database,
  userId: Expression<string>,
  siteName: Expression<string | null>,
) {
  return database
    .selectFrom('users as subjects')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.user_id', '=', 'subjects.id')
        .on('memberships.entitlement_requirements_met', '=', true)
        .on('memberships.site_id', '=', (site) =>
          site
            .selectFrom('sites')
            .select('sites.id')
            .where('sites.name', '=', siteName)
            .where('sites.disabled_at', 'is', null),
        ),
    )
    .leftJoin('sites', 'sites.id', 'memberships.site_id')
    .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
    .select(['subjects.first_name', 'subjects.last_name', 'subjects.email'])
    .select(['sites.name as site', 'sites.display_name as site_name', 'parents.name as parent_site'])
    .where('subjects.id', '=', userId)
    .where('subjects.status', '=', 'active');
}
