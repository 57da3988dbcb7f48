import type { CallAnswer, CallInput } from '@anteroom/contract';
import { noteRefusal } from '../audit/note-refusal.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Person } from '../people/people-store.ts';
import { noteChoice } from '../sites/choices-store.ts';
import { findPlace } from '../sites/places-store.ts';
import type { Place } from '../sites/places-store.ts';
import { advance } from './advance.ts';
import { requireSignIn } from './find-sign-in.ts';
import { requirePerson } from './own-sites.ts';
import { noteProgress } from './progress-store.ts';
import type { SignInServices } from './sign-in-services.ts';

/** Enters one of the person's own sites. */
export function createSelectSite(services: SignInServices) {
  return async ({ body }: CallInput<'selectSite'>, exchange: Exchange): Promise<CallAnswer<'selectSite'>> => {
    const { person } = await requirePerson(services, exchange);
    const signIn = await requireSignIn(services, body.returnUrl, exchange);
    const noted = { event: 'site.choose', personId: person.id, clientId: signIn.clientId } as const;
    const site = await noteRefusal(services.audit, noted, exchange, () =>
      requireEnterable(services, person, body.site),
    );
    services.audit.note({ ...noted, result: 'success', site: site.name }, exchange);
    const at = services.clock.now();
    const chosen = await noteProgress(services.database, signIn, {
      personId: person.id,
      siteId: site.id,
      siteChosenAt: at,
    });
    await noteChoice(services.database, { personId: person.id, siteId: site.id, at });
    return await advance(services, chosen, person, site, exchange);
  };
}

/** @throws `not_found` for a site that is not there or not the person's, which must not be told apart (S28). */
async function requireEnterable({ database }: SignInServices, person: Person, name: string): Promise<Place> {
  const site = await findPlace(database, { name }, person.id);
  if (site?.isMember !== true) {
    throw new ContractError('not_found', { detail: 'no such site of this person' });
  }
  if (!site.entitlementMet) {
    throw new ContractError('forbidden', { detail: 'the entitlement requirements of the site are not met' });
  }
  if (site.secondFactorRequired && site.allowPasswordEntry && person.phoneNumber === undefined) {
    throw new ContractError('site_requires_mfa', { detail: 'the person has no second factor' });
  }
  return site;
}
