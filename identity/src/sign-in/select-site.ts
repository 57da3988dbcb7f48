import { noteRefusal } from '../audit/audit.ts';
import type { FactorUser } from '../factors/factors.ts';
import { ContractError } from '../http/errors.ts';
import type { CallHandler } from '../http/routes.ts';
import {
  findEntryRefusal,
  findSiteMembership,
  recordSiteSelection,
} from '../sites/site-memberships-store.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import type { User } from '../users/users-store.ts';
import { advance } from './advance.ts';
import type { SignInServices } from './sign-in-services.ts';
import { requireSignIn } from './find-sign-in.ts';
import { openVisit, prove, requireUser } from './visit.ts';

/** Selects one of the sites of the signed-in user. */
export function createSelectSite(services: SignInServices): CallHandler<'selectSite'> {
  const { database, clock, audit } = services;
  return async ({ body }, exchange) => {
    const { user, factorUser } = await requireUser(services, exchange);
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const noted = { event: 'site.choose', userId: user.id, clientId: signIn.clientId } as const;
    const site = await noteRefusal(audit, noted, exchange, () =>
      requireEnterable(services, user, factorUser, body.site),
    );
    const visit = await openVisit(services, { signIn, user, exchange, site });
    const chosen = await prove(services, visit, 'site-choice', { siteId: site.id });
    audit.note({ ...noted, result: 'success', site: site.name }, exchange);
    await recordSiteSelection(database, { userId: user.id, siteId: site.id, at: clock.now() });
    return await advance(services, chosen);
  };
}

const refusals = {
  'not-a-member': { code: 'not_found', detail: 'the user is not a member of such a site' },
  'second-factor': {
    code: 'site_requires_mfa',
    detail: 'the user has no second factor that the site accepts',
  },
  entitlement: { code: 'forbidden', detail: 'the entitlement requirements of the site are not met' },
} as const;

/** @throws `not_found` for an unknown site and for a site of which the user is not a member (S28) */
async function requireEnterable(
  { database }: SignInServices,
  { id }: Pick<User, 'id'>,
  factorUser: FactorUser,
  name: string,
): Promise<SiteMembership> {
  const site = await findSiteMembership(database, { name }, id);
  const refusal = findEntryRefusal(site, factorUser);
  if (refusal !== undefined)
    throw new ContractError(refusals[refusal].code, { detail: refusals[refusal].detail });
  if (site === undefined) throw new Error('findEntryRefusal must refuse a missing site');
  return site;
}
