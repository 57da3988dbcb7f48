import type { CallAnswer } from '@anteroom/contract';
import * as v from 'valibot';
import { tokenPattern } from '../lib/random.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { findClient } from '../provider/clients-store.ts';
import { findTargetLink } from '../provider/initiate-login.ts';
import type { SignIn } from '../sign-in/sign-ins-store.ts';
import { findActiveUser } from '../users/users-store.ts';
import type { User } from '../users/users-store.ts';
import { storeDeparture, takeDeparture } from './hand-overs-store.ts';
import { storeLink } from './links-store.ts';
import { findChosenLocale } from '../http/language.ts';
import { renderForm } from '../texts/forwarding-page.ts';
import type { PeerAnswer } from './peer-requests.ts';
import type { Regions } from './regions.ts';
import type { RegionResponse } from './routes.ts';
import { HandOverRefused, tokenTypes } from './signed-tokens.ts';
import type { SignedInSession } from '../sessions/session.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import { noteRefusedHandOver, requireRefusal, showRefusedHandOver } from './hand-over-refusal.ts';

// The sending side of a hand-over to another region. docs/decisions/021-a-hand-over-between-regions.md describes the protocol.

type HandOverSubject = { user: User; session: SignedInSession; site: SiteMembership };

const requestAnswer = v.object({ request: v.pipe(v.string(), v.regex(tokenPattern)) });

/**
 * Announces the user to the site's home region and returns the redirect to it.
 * @throws `session_migration_failure` if that region refuses or does not respond; the user stays signed in here and can
 * select another site
 */
export async function beginHandOver(
  services: SignInServices,
  signIn: SignIn,
  { user, session, site }: HandOverSubject,
  exchange: Exchange,
): Promise<CallAnswer<'selectSite'>> {
  const region = site.identityServiceUrl ?? '';
  try {
    const regions = requireRegions(services);
    if (!regions.others.includes(region))
      throw new HandOverRefused('the home of the site is not a listed region');
    await requireUnlocked(services, user.id);
    const answer = await regions.send(region, 'request', {
      sub: user.id,
      site: site.name,
      client_id: signIn.clientId,
    });
    const request = readRequest(answer);
    await storeDeparture(services, request, {
      region,
      userId: user.id,
      browserId: session.browserId,
      site: site.name,
      linkId: services.random.token(16),
      targetLink: await findTarget(services, signIn),
    });
    const location = `${region}/regions/arrive?${new URLSearchParams({ request }).toString()}`;
    return { status: 'redirect', location, authSiteIdentityBaseUri: region };
  } catch (error) {
    const facts = { userId: user.id, site: site.name, clientId: signIn.clientId, region };
    const reason = noteRefusedHandOver(services, facts, requireRefusal(error), exchange);
    throw new ContractError('session_migration_failure', { detail: reason });
  }
}

/**
 * Issues the hand-over token to a browser that returns from the other region. The session of the same user must still
 * be valid.
 */
export function createHandOver(services: SignInServices) {
  return async (request: unknown, exchange: Exchange): Promise<RegionResponse> => {
    let facts: { userId?: string; site?: string; region?: string } = {};
    try {
      const regions = requireRegions(services);
      const found = await exchange.findSession();
      if (found.state !== 'valid') throw new HandOverRefused('no user is signed in in this browser');
      const { session } = found;
      facts = { userId: session.userId };
      const departure =
        typeof request === 'string' ? await takeDeparture(services, request, session) : undefined;
      if (typeof request !== 'string' || departure === undefined)
        throw new HandOverRefused('this user and browser have no such request, or it has expired');
      const { region, site, linkId, targetLink } = departure;
      facts = { userId: session.userId, site, region };
      if ((await findActiveUser(services.database, session.userId)) === undefined)
        throw new HandOverRefused('the user is disabled');
      await requireUnlocked(services, session.userId);

      const { userId, browserId, absoluteExpiresAt: expiresAt } = session;
      const link = { id: linkId, region, direction: 'to', userId, browserId, expiresAt } as const;
      await storeLink(services.database, link, services.clock.now());
      const token = await regions.tokens.sign(tokenTypes.handOver, region, {
        ...describeAssurance(session),
        sub: userId,
        request,
        link: linkId,
        target_link_uri: targetLink,
        ui_locales: findChosenLocale(exchange.headers),
      });
      services.audit.note(
        {
          event: 'region.hand-over',
          result: 'success',
          userId,
          site,
          sessionHash: session.idHash,
          details: { to: region },
        },
        exchange,
      );
      // Regions of every release expect the field name `word`.
      return renderForm(
        { action: `${region}/regions/arrive`, fields: { word: token }, formAction: region },
        exchange.pageLanguage,
      );
    } catch (error) {
      return await showRefusedHandOver(services, facts, error, exchange);
    }
  };
}

/** The claims from which the other region creates its session: how and when the user authenticated, and the latest expiry. */
function describeAssurance(session: SignedInSession) {
  const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
  return {
    methods: session.methods.map(({ method, at }) => ({ method, at: seconds(at) })),
    session_expires_at: seconds(session.absoluteExpiresAt),
    externally_authenticated: session.externallyAuthenticated,
  };
}

/** The application's `target_link_uri`, if it is on the application's own origin. The other region validates it again. */
async function findTarget(
  { database }: SignInServices,
  { clientId, parameters }: SignIn,
): Promise<string | undefined> {
  const client = await findClient(database, clientId);
  if (client?.initiateLoginUri === undefined) return undefined;
  return findTargetLink(client.initiateLoginUri, parameters['target_link_uri']);
}

/** @throws HandOverRefused if the region did not accept the request */
function readRequest({ status, text }: PeerAnswer): string {
  if (status !== 200) throw new HandOverRefused(`the region answered ${status}`);
  const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), requestAnswer), text);
  if (!answer.success) throw new HandOverRefused('the answer of the region has no request id');
  return answer.output.request;
}

function requireRegions({ regions }: Pick<SignInServices, 'regions'>): Regions {
  if (regions === undefined) throw new HandOverRefused('there are no other regions');
  return regions;
}

async function requireUnlocked({ limits }: Pick<SignInServices, 'limits'>, userId: string): Promise<void> {
  if (await limits.isLocked('password', userId)) throw new HandOverRefused('the account is locked');
}
