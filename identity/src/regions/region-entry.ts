import { supportedLocales } from '@anteroom/contract';
import * as v from 'valibot';
import { createPageCookies } from '../http/cookies.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { findClient } from '../provider/clients-store.ts';
import { findTargetLink, initiateLoginAddress } from '../provider/initiate-login.ts';
import type { LoginHints } from '../provider/initiate-login.ts';
import { bindArrival, openArrival, takeArrival } from './hand-overs-store.ts';
import type { Arrival } from './hand-overs-store.ts';
import { storeLink } from './links-store.ts';
import { renderForward } from '../texts/forwarding-page.ts';
import type { Regions } from './regions.ts';
import type { RegionResponse } from './routes.ts';
import { HandOverRefused, tokenTypes } from './signed-tokens.ts';
import type { VerifiedToken } from './signed-tokens.ts';
import { recordStart, requireFirstUse } from './used-tokens-store.ts';
import { authenticationMethods } from '../sessions/session.ts';
import { findSiteMembership } from '../sites/site-memberships-store.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import { findActiveUser } from '../users/users-store.ts';
import type { User } from '../users/users-store.ts';
import { beginSession } from '../sign-in/begin-session.ts';
import type { WithSession } from '../sign-in/begin-session.ts';
import { findSessions } from '../sign-in/visit.ts';
import { showRefusedHandOver } from './hand-over-refusal.ts';
import { findMissingProof } from './region-proof.ts';
import type { RegionProof } from './region-proof.ts';
import { isElsewhere } from '../sign-in/sign-in-facts.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';

// The receiving side of a hand-over from another region. docs/decisions/021-a-hand-over-between-regions.md describes the protocol.

type Needed = SignInServices & { regions: Regions };

const name = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200));
const seconds = v.pipe(v.number(), v.integer(), v.minValue(0));
const requestClaims = v.object({ sub: name, site: name, client_id: name });
const handOverClaims = v.object({
  sub: name,
  request: name,
  link: name,
  methods: v.pipe(
    v.array(v.object({ method: v.picklist(authenticationMethods), at: seconds })),
    v.minLength(1),
    v.maxLength(authenticationMethods.length),
  ),
  session_expires_at: seconds,
  externally_authenticated: v.boolean(),
  // Optional: a region of the previous release does not send these claims.
  target_link_uri: v.optional(v.string()),
  ui_locales: v.optional(v.string()),
});

/**
 * Accepts another region's announcement of a user for an application.
 * @throws `forbidden` whatever the reason
 */
export function createTakeRequest(services: Needed) {
  return async (token: string, exchange: Exchange): Promise<{ request: string }> => {
    let region: string | undefined;
    try {
      const verified = await services.regions.tokens.verify(tokenTypes.request, token);
      ({ region } = verified);
      await requireFirstUse(services, verified);
      const { sub, site, client_id: clientId } = parseClaims(requestClaims, verified);
      const { id: siteId } = (await requireEnterable(services, sub, { name: site })).site;
      await requireInitiateLoginUri(services, clientId);
      const arrival = { region, userId: sub, siteId, clientId };
      return { request: await openArrival(services, arrival) };
    } catch (error) {
      if (!(error instanceof HandOverRefused)) throw error;
      exchange.log.info({ region, reason: error.message }, 'refused a request of another region');
      throw new ContractError('forbidden', { detail: error.message });
    }
  };
}

/** Binds the request to this browser, and redirects it back to the other region for the hand-over token. */
export function createArrive(services: Needed) {
  return async (request: unknown, exchange: Exchange): Promise<RegionResponse> => {
    const { browserId } = await exchange.ensureSession();
    const region = await bindArrival(services, request, browserId);
    // The settings may have changed since the request. Redirect only to a listed region.
    if (region === undefined || !services.regions.others.includes(region))
      return await showRefusedHandOver(
        services,
        {},
        new HandOverRefused('the request does not exist, has expired, or belongs to another browser'),
        exchange,
      );
    const query = new URLSearchParams({ request: String(request) }).toString();
    return { location: `${region}/regions/hand-over?${query}` };
  };
}

/**
 * Verifies the hand-over token, repeats all checks, and begins a session with the authentication methods and time of
 * the token.
 */
export function createEnter(services: Needed) {
  const cookies = createPageCookies(services.config.publicUrl);
  return async (token: string, exchange: Exchange): Promise<RegionResponse> => {
    let facts: { userId?: string; site?: string; clientId?: string; region?: string } = {};
    try {
      const verified = await services.regions.tokens.verify(tokenTypes.handOver, token);
      const claims = parseClaims(handOverClaims, verified);
      facts = { userId: claims.sub, region: verified.region };
      if (exchange.origin !== verified.region)
        throw new HandOverRefused('the form and the token come from different regions');
      const browserId = await exchange.findBrowserId();
      if (browserId === undefined) throw new HandOverRefused('the browser has no id cookie');

      const by = { region: verified.region, userId: claims.sub, browserId };
      const arrival = await consumeHandOver(services, verified, claims.request, by);
      const locale = supportedLocales.find((supported) => supported === claims.ui_locales);
      if (locale !== undefined) cookies.writeLocale(exchange, locale);
      facts = { ...facts, clientId: arrival.clientId };
      const { user, site } = await requireEnterable(services, claims.sub, { id: arrival.siteId });
      facts = { ...facts, site: site.name };
      const initiateLoginUri = await requireInitiateLoginUri(services, arrival.clientId);
      const targetLink = findTargetLink(initiateLoginUri, claims.target_link_uri);

      const proof: RegionProof = {
        methods: claims.methods.map(({ method, at }) => ({ method, at: new Date(at * 1000) })),
        externallyAuthenticated: claims.externally_authenticated,
      };
      const missing = await findMissingProof(services, { user, site, proof, arrival }, exchange);
      if (missing !== undefined) {
        // Begins no session. The user signs in to this region instead, which includes the missing step.
        note('failure', `this region requires more: ${missing}`);
        cookies.writeSite(exchange, site.name);
        return forward(initiateLoginUri, { loginHint: user.userName, targetLink, locale });
      }
      await begin(verified, claims, { user, site, proof });
      note('success', undefined);
      return forward(initiateLoginUri, { targetLink, locale });
    } catch (error) {
      return await showRefusedHandOver(services, facts, error, exchange);
    }

    function note(result: 'success' | 'failure', reason: string | undefined): void {
      const { region, ...rest } = facts;
      const details = { from: region };
      services.audit.note({ event: 'region.hand-over', result, reason, ...rest, details }, exchange);
    }

    function forward(address: string, beginning: LoginHints): RegionResponse {
      const onward = initiateLoginAddress(address, services.config.publicUrl, beginning);
      return renderForward(onward, beginning.locale ?? exchange.pageLanguage);
    }

    async function begin(
      { region }: VerifiedToken,
      { link: id, session_expires_at: expiresAt }: v.InferOutput<typeof handOverClaims>,
      { user, site, proof }: { user: User; site: SiteMembership; proof: RegionProof },
    ): Promise<void> {
      const facts = {
        ...proof,
        account: user,
        authSite: site.name,
        absoluteExpiresAt: new Date(expiresAt * 1000),
      };
      const withSession: WithSession = async (transaction, { browserId, absoluteExpiresAt }) => {
        if (!(await recordStart({ ...services, database: transaction }, { region, id })))
          throw new HandOverRefused('the session over there has ended meanwhile');
        const link = { id, region, direction: 'from', userId: user.id, browserId } as const;
        await storeLink(transaction, { ...link, expiresAt: absoluteExpiresAt }, services.clock.now());
      };
      const { otherSession } = await findSessions(user, exchange);
      await beginSession(services, facts, exchange, { otherSession, withSession });
    }
  };
}

/** Consumes the token and the request in one transaction, before any other check, so that neither can be used again. */
async function consumeHandOver(
  services: Needed,
  verified: VerifiedToken,
  request: string,
  by: { region: string; userId: string; browserId: string },
): Promise<Arrival> {
  return await services.database.transaction().execute(async (transaction) => {
    const needed = { ...services, database: transaction };
    await requireFirstUse(needed, verified);
    const arrival = await takeArrival(needed, request, by);
    if (arrival === undefined)
      throw new HandOverRefused('this user and browser have no such request, or it has expired');
    return arrival;
  });
}

/** Requires an active user, and a site of this region that the user can enter. */
async function requireEnterable(
  { database, config }: Needed,
  userId: string,
  key: { name: string } | { id: string },
): Promise<{ user: User; site: SiteMembership }> {
  const user = await findActiveUser(database, userId);
  if (user === undefined) throw new HandOverRefused('there is no active user with this id');
  const site = await findSiteMembership(database, key, userId);
  if (site?.isMember !== true) throw new HandOverRefused('the user is not a member of the site');
  if (isElsewhere(site, config.publicUrl))
    throw new HandOverRefused('the home of the site is another region');
  if (!site.entitlementMet) throw new HandOverRefused('the entitlement requirements of the site are not met');
  return { user, site };
}

/**
 * Returns the address at which the application starts a sign-in here. The application must send its own request to this
 * region, which cannot answer an authorization request of the other region.
 */
async function requireInitiateLoginUri({ database }: Needed, clientId: string): Promise<string> {
  const client = await findClient(database, clientId);
  if (client?.initiateLoginUri === undefined)
    throw new HandOverRefused('the application is not registered here, or has no initiate_login_uri');
  return client.initiateLoginUri;
}

function parseClaims<TSchema extends v.GenericSchema>(
  schema: TSchema,
  { claims }: VerifiedToken,
): v.InferOutput<TSchema> {
  const result = v.safeParse(schema, claims);
  if (!result.success) throw new HandOverRefused('the claims of the token are invalid');
  return result.output;
}
