import { sql } from 'kysely';
import type { FindAccount } from 'oidc-provider';
import type { Services } from '../services.ts';
import { siteOfGrant } from './grants-store.ts';
import { findReadAhead } from './records-store.ts';
import { siteNameKey } from '../sites/sites-store.ts';
import { selectSubject } from './subjects-store.ts';

/** The claims of each scope. `acr`, `amr` and `auth_time` are always in the ID token, for step-up checks. */
export const claimsByScope = {
  openid: ['sub', 'auth_time', 'acr', 'amr', 'site', 'site_name', 'parent_site'],
  profile: ['name', 'given_name', 'family_name'],
  email: ['email'],
};

/**
 * Finds the user for whom a token is issued, with the site of its grant: a token is never issued for a site that was
 * selected later. Codes and tokens of a disabled user, or of a user who can no longer enter the site, stop working with
 * the next request. The site is then removed from the session, so that the next sign-in asks for another one. An
 * authorization request needs no query: it has no token and returns no claim, and the service's session identifies the
 * user (policy.ts).
 */
export function createFindAccount({
  database,
  sessions,
}: Pick<Services, 'database' | 'sessions'>): FindAccount {
  return async (ctx, userId, token) => {
    if (token === undefined) return { accountId: userId, claims: () => ({ sub: userId }) };
    const siteName = token.grantId === undefined ? undefined : siteOfGrant(token.grantId);
    const { grantId } = token;
    const known = findReadAhead(ctx, (record) => record.grant_id === grantId && record.model === token.kind);
    const subject =
      known?.subject === undefined
        ? await selectSubject(
            database,
            sql.val(userId),
            sql.val(siteNameKey(siteName ?? '')),
          ).executeTakeFirst()
        : (known.subject ?? undefined);
    if (subject === undefined) return undefined;
    if (siteName !== undefined && subject.site === null) {
      await sessions.clearSite(userId, siteName);
      return undefined;
    }
    return {
      accountId: userId,
      claims: () => ({
        sub: userId,
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
