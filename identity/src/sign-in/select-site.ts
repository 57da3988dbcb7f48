import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import type { CallHandler } from '../http/routes.ts';
import {
  findEntryRefusal,
  findSiteMembership,
  recordSiteSelection,
} from '../sites/site-memberships-store.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import type { Person } from '../users/users-store.ts';
import { advance } from './advance.ts';
import type { SignInServices } from './sign-in-services.ts';
import { openVisit, prove, requirePerson, requireSignIn } from './visit.ts';

/** Selects one of the sites of the signed-in user. */
export function createSelectSite(services: SignInServices): CallHandler<'selectSite'> {
  const { database, clock, audit } = services;
  return async ({ body }, exchange) => {
    const person = await requirePerson(services, exchange);
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const noted = { event: 'site.choose', personId: person.id, clientId: signIn.clientId } as const;
    const site = await noteRefusal(audit, noted, exchange, () =>
      requireEnterable(services, person, body.site),
    );
    const visit = await openVisit(services, { signIn, person, exchange, site });
    const chosen = await prove(services, visit, 'site-choice', { siteId: site.id });
    audit.note({ ...noted, result: 'success', site: site.name }, exchange);
    await recordSiteSelection(database, { personId: person.id, siteId: site.id, at: clock.now() });
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
  person: Parameters<typeof findEntryRefusal>[1] & Pick<Person, 'id'>,
  name: string,
): Promise<SiteMembership> {
  const site = await findSiteMembership(database, { name }, person.id);
  const refusal = findEntryRefusal(site, person);
  if (refusal !== undefined)
    throw new ContractError(refusals[refusal].code, { detail: refusals[refusal].detail });
  if (site === undefined) throw new Error('findEntryRefusal must refuse a missing site');
  return site;
}
