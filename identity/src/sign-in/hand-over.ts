import type { CallAnswer } from '@anteroom/contract';
import * as v from 'valibot';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { findClient } from '../openid/clients-store.ts';
import { findTargetLink } from '../openid/initiate-login.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';
import { findActivePerson } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';
import { keepDeparture, takeDeparture } from '../regions/departures-store.ts';
import { keepLink } from '../regions/links-store.ts';
import { findChosenLocale, localeOf } from '../http/language.ts';
import { drawHandOver } from '../regions/pages.ts';
import type { PeerAnswer } from '../regions/peer-requests.ts';
import type { Regions } from '../regions/regions.ts';
import type { Onward } from '../regions/routes.ts';
import { HandOverRefused, wordTypes } from '../regions/signed-words.ts';
import type { Services } from '../services.ts';
import type { SignedInSession } from '../sessions/session.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import { noteRefusedHandOver, requireRefusal, showRefusedHandOver } from './hand-over-refusal.ts';

// Leaving for a site of another region. The protocol, step by step and with a picture: docs/decisions/021-a-hand-over-between-regions.md.

type Needed = Pick<
  Services,
  'regions' | 'database' | 'clock' | 'random' | 'keys' | 'limits' | 'audit' | 'errorRecords' | 'config'
>;
type Leaving = { person: Person; session: SignedInSession; site: SiteMembership };

const opened = v.object({ request: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/)) });

/**
 * Announces the person to the site's home and answers the way there.
 * @throws `session_migration_failure` when they may not come or nobody answers; they stay signed in here, and may choose another site.
 */
export async function beginHandOver(
  services: Needed,
  signIn: SignIn,
  { person, session, site }: Leaving,
  exchange: Exchange,
): Promise<CallAnswer<'selectSite'>> {
  const region = site.identityServiceUrl ?? '';
  try {
    const regions = requireRegions(services);
    if (!regions.others.includes(region))
      throw new HandOverRefused('the home of the site is no region of ours');
    await requireUnlocked(services, person.id);
    const answer = await regions.tell(region, 'request', {
      sub: person.id,
      site: site.name,
      client_id: signIn.clientId,
    });
    const request = readRequest(answer);
    await keepDeparture({ ...services, keyRing: services.keys.oneTimeSecrets }, request, {
      region,
      personId: person.id,
      browserId: session.browserId,
      site: site.name,
      linkId: services.random.token(16),
      targetLink: await findTarget(services, signIn),
    });
    const location = `${region}/regions/arrive?${new URLSearchParams({ request }).toString()}`;
    return { status: 'redirect', location, authSiteIdentityBaseUri: region };
  } catch (error) {
    const facts = { personId: person.id, site: site.name, clientId: signIn.clientId, region };
    const reason = noteRefusedHandOver(services, facts, requireRefusal(error), exchange);
    throw new ContractError('session_migration_failure', { detail: reason });
  }
}

/** The browser is back from the other region's door: the same person, in the same browser, with a session that is still good. */
export function createHandOver(services: Needed) {
  return async (request: unknown, exchange: Exchange): Promise<Onward> => {
    let facts: { personId?: string; site?: string; region?: string } = {};
    try {
      const regions = requireRegions(services);
      const found = await exchange.findSession();
      if (found.state !== 'valid') throw new HandOverRefused('nobody is signed in in this browser');
      const { session } = found;
      facts = { personId: session.personId };
      const departure =
        typeof request === 'string'
          ? await takeDeparture({ ...services, keyRing: services.keys.oneTimeSecrets }, request, session)
          : undefined;
      if (typeof request !== 'string' || departure === undefined)
        throw new HandOverRefused('no such request of this person in this browser, or too late');
      const { region, site, linkId, targetLink } = departure;
      facts = { personId: session.personId, site, region };
      if ((await findActivePerson(services.database, session.personId)) === undefined)
        throw new HandOverRefused('the person is disabled');
      await requireUnlocked(services, session.personId);

      const { personId, browserId, absoluteExpiresAt: expiresAt } = session;
      const link = { id: linkId, region, direction: 'to', personId, browserId, expiresAt } as const;
      await keepLink(services.database, link, services.clock.now());
      const word = await regions.words.sign(wordTypes.handOver, region, {
        ...describeAssurance(session),
        sub: personId,
        request,
        link: linkId,
        target_link_uri: targetLink,
        ui_locales: findChosenLocale(exchange.raw.request.headers),
      });
      services.audit.note(
        {
          event: 'region.hand-over',
          result: 'success',
          personId,
          site,
          sessionHash: session.idHash,
          details: { to: region },
        },
        exchange,
      );
      return drawHandOver(region, word, localeOf(exchange.raw.request.headers));
    } catch (error) {
      return await showRefusedHandOver(services, facts, error, exchange);
    }
  };
}

/** What was proved here, when, and until when it is good: exactly that is good in the other region, and no more. */
function describeAssurance(session: SignedInSession) {
  const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
  return {
    amr: session.methods,
    auth_time: seconds(session.authenticatedAt),
    session_expires_at: seconds(session.absoluteExpiresAt),
    externally_authenticated: session.externallyAuthenticated,
  };
}

/** What the application said, as far as it is the application's own; the other region looks at it again. */
async function findTarget(
  { database }: Needed,
  { clientId, parameters }: SignIn,
): Promise<string | undefined> {
  const client = await findClient(database, clientId);
  if (client?.initiateLoginUri === undefined) return undefined;
  return findTargetLink(client.initiateLoginUri, parameters['target_link_uri']);
}

/** @throws HandOverRefused for every answer but a request */
function readRequest({ status, text }: PeerAnswer): string {
  if (status !== 200) throw new HandOverRefused(`the region answered ${status}`);
  const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), opened), text);
  if (!answer.success) throw new HandOverRefused('the region answered no request');
  return answer.output.request;
}

function requireRegions({ regions }: Pick<Services, 'regions'>): Regions {
  if (regions === undefined) throw new HandOverRefused('there are no other regions');
  return regions;
}

async function requireUnlocked({ limits }: Pick<Services, 'limits'>, personId: string): Promise<void> {
  if (await limits.isLocked('password', personId)) throw new HandOverRefused('the account is locked');
}
