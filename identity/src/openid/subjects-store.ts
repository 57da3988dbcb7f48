import { sql } from 'kysely';
import type { Expression } from 'kysely';
import type { Database } from '../store/schema.ts';
import { siteNameKey } from '../sites/sites-store.ts';

/** The user's data for claims in tokens. `site` is null if the user cannot enter the site. */
export type Subject = {
  first_name: string;
  last_name: string;
  email: string | null;
  site: string | null;
  site_name: string | null;
  parent_site: string | null;
};

/** Finds an active user. Includes the site only if it is enabled and the user is an entitled member. */
export async function findSubject(
  database: Database,
  personId: string,
  siteName: string | undefined,
): Promise<Subject | undefined> {
  const site = siteNameKey(siteName ?? '');
  return await selectSubject(database, sql.val(personId), sql.val(site)).executeTakeFirst();
}

/** The query of `findSubject`, for use in a larger statement. `siteName` is a site name in its stored form. */
export function selectSubject(
  database: Database,
  personId: Expression<string>,
  siteName: Expression<string | null>,
) {
  return database
    .selectFrom('people as subjects')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.person_id', '=', 'subjects.id')
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
    .where('subjects.id', '=', personId)
    .where('subjects.status', '=', 'active');
}
