import type { FindAccount } from 'oidc-provider';
import { findActivePerson } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import { findSiteForToken } from '../sites/sites-store.ts';
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
    const person = await findActivePerson(database, personId);
    if (person === undefined) return undefined;
    const siteName = token.grantId === undefined ? undefined : siteOfGrant(token.grantId);
    const site = siteName === undefined ? undefined : await findSiteForToken(database, siteName, personId);
    if (siteName !== undefined && site === undefined) {
      await sessions.leaveSite(personId, siteName);
      return undefined;
    }
    return {
      accountId: person.id,
      claims: () => ({
        sub: person.id,
        name: `${person.firstName} ${person.lastName}`.trim(),
        given_name: person.firstName,
        family_name: person.lastName,
        email: person.email,
        ...(site && { site: site.name, site_name: site.displayName, parent_site: site.parentName }),
      }),
    };
  };
}
