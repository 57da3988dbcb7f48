import type { FindAccount } from 'oidc-provider';
import type { Services } from '../services.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import type { Database } from '../store/schema.ts';
import { siteOfGrant } from './grants-store.ts';

/** Which claim comes with which scope; `acr`, `amr` and `auth_time` are always in the ID token, for step-up checks. */
export const claimsByScope = {
  openid: ['sub', 'auth_time', 'acr', 'amr', 'site', 'site_name', 'parent_site'],
  profile: ['name', 'given_name', 'family_name'],
  email: ['email'],
};

/**
 * Who a token speaks of, with the site that its grant was made for: a token never speaks for a site that was chosen later.
 * A disabled person gets nothing for a code or a token, from the next request on, and neither does somebody who may not enter the
 * site any more; the session forgets that site, so that the next sign-in asks for another. While a browser is on its way there is no
 * token and nothing is told of anybody: who they are is what our own session says (policy.ts), so nobody is looked up.
 */
export function createFindAccount({
  database,
  sessions,
}: Pick<Services, 'database' | 'sessions'>): FindAccount {
  return async (_ctx, personId, token) => {
    if (token === undefined) return { accountId: personId, claims: () => ({ sub: personId }) };
    const siteName = token.grantId === undefined ? undefined : siteOfGrant(token.grantId);
    const subject = await findSubject(database, personId, siteName);
    if (subject === undefined) return undefined;
    if (siteName !== undefined && subject.site === null) {
      await sessions.leaveSite(personId, siteName);
      return undefined;
    }
    return {
      accountId: personId,
      claims: () => ({
        sub: personId,
        name: `${subject.first_name} ${subject.last_name}`.trim(),
        given_name: subject.first_name,
        family_name: subject.last_name,
        email: subject.email ?? undefined,
        ...(subject.site !== null && {
          site: subject.site,
          site_name: subject.site_name ?? undefined,
          parent_site: subject.parent_site ?? undefined,
        }),
      }),
    };
  };
}

/** An active person, and the site as long as they may enter it: not disabled, still a member, entitled. */
async function findSubject(database: Database, personId: string, siteName: string | undefined) {
  return await database
    .selectFrom('people')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.person_id', '=', 'people.id')
        .on('memberships.entitlement_requirements_met', '=', true)
        .on('memberships.site_id', '=', (site) =>
          site
            .selectFrom('sites')
            .select('sites.id')
            .where('sites.name', '=', siteNameKey(siteName ?? ''))
            .where('sites.disabled_at', 'is', null),
        ),
    )
    .leftJoin('sites', 'sites.id', 'memberships.site_id')
    .leftJoin('sites as parents', 'parents.id', 'sites.parent_id')
    .select(['people.first_name', 'people.last_name', 'people.email'])
    .select(['sites.name as site', 'sites.display_name as site_name', 'parents.name as parent_site'])
    .where('people.id', '=', personId)
    .where('people.status', '=', 'active')
    .executeTakeFirst();
}
