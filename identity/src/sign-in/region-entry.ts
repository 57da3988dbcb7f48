import { supportedLocales } from '@anteroom/contract';
import * as v from 'valibot';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { findClient } from '../openid/clients-store.ts';
import { findTargetLink, initiateLoginAddress } from '../openid/initiate-login.ts';
import type { Beginning } from '../openid/initiate-login.ts';
import { findActivePerson } from '../users/users-store.ts';
import type { Person } from '../users/users-store.ts';
import { bindArrival, openArrival, takeArrival } from '../regions/arrivals-store.ts';
import type { Arrival } from '../regions/arrivals-store.ts';
import { keepLink } from '../regions/links-store.ts';
import { localeOf } from '../http/language.ts';
import { drawOnward } from '../regions/pages.ts';
import type { Regions } from '../regions/regions.ts';
import type { Onward } from '../regions/routes.ts';
import { HandOverRefused, wordTypes } from '../regions/signed-words.ts';
import type { HeardWord } from '../regions/signed-words.ts';
import { noteBeginning, noteUse } from '../regions/used-words-store.ts';
import { authenticationMethods } from '../sessions/session.ts';
import { findSiteMembership, whyClosed } from '../sites/site-memberships-store.ts';
import type { SiteMembership } from '../sites/site-memberships-store.ts';
import { findMissingProof } from './carried-proof.ts';
import type { CarriedProof } from './carried-proof.ts';
import { showRefusedHandOver } from './hand-over-refusal.ts';
import { beginSession } from './begin-session.ts';
import { isElsewhere } from './sign-in-facts.ts';
import { createPageCookies } from './page-cookies.ts';
import type { SignInServices } from './sign-in-services.ts';

// Coming from another region. The protocol, step by step and with a picture: docs/decisions/021-a-hand-over-between-regions.md.

type Needed = SignInServices & { regions: Regions };

const name = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200));
const seconds = v.pipe(v.number(), v.integer(), v.minValue(0));
const requestClaims = v.object({ sub: name, site: name, client_id: name });
const handOverClaims = v.object({
  sub: name,
  request: name,
  link: name,
  amr: v.pipe(v.array(v.picklist(authenticationMethods)), v.minLength(1), v.maxLength(10)),
  auth_time: seconds,
  session_expires_at: seconds,
  externally_authenticated: v.boolean(),
  // what may be absent: a region of the version before does not say it
  target_link_uri: v.optional(v.string()),
  ui_locales: v.optional(v.string()),
});

/** Another region's server asks whether somebody may come, for which application. @throws `forbidden`, whatever the reason. */
export function createTakeRequest(services: Needed) {
  return async (word: string, exchange: Exchange): Promise<{ request: string }> => {
    let region: string | undefined;
    try {
      const heard = await services.regions.words.hear(wordTypes.request, word);
      ({ region } = heard);
      await requireFirstUse(services, heard);
      const { sub, site, client_id: clientId } = parseClaims(requestClaims, heard);
      const { place } = await requireEnterable(services, sub, { name: site });
      await requireInitiateLoginUri(services, clientId);
      const arrival = { region, personId: sub, siteId: place.id, clientId };
      return { request: await openArrival({ ...services, keyRing: services.keys.oneTimeSecrets }, arrival) };
    } catch (error) {
      if (!(error instanceof HandOverRefused)) throw error;
      exchange.log.info({ region, reason: error.message }, 'a request of another region was refused');
      throw new ContractError('forbidden', { detail: error.message });
    }
  };
}

/** The browser comes for the first time: from here on the request is this browser's. It is sent back to be handed over. */
export function createArrive(services: Needed) {
  return async (request: unknown, exchange: Exchange): Promise<Onward> => {
    const { browserId } = await exchange.ensureSession();
    const keyRing = services.keys.oneTimeSecrets;
    const region = await bindArrival({ ...services, keyRing }, request, browserId);
    // the settings may have changed since: nobody is ever sent to a region that they do not list
    if (region === undefined || !services.regions.others.includes(region))
      return await showRefusedHandOver(
        services,
        {},
        new HandOverRefused('no such request, too late, or another browser’s'),
        exchange,
      );
    const query = new URLSearchParams({ request: String(request) }).toString();
    return { location: `${region}/regions/hand-over?${query}` };
  };
}

/** The browser comes with the word: everything is looked at again, and a session begins with what was proved there, and no more. */
export function createEnter(services: Needed) {
  const cookies = createPageCookies(services.config.publicUrl);
  return async (word: string, exchange: Exchange): Promise<Onward> => {
    let facts: { personId?: string; site?: string; clientId?: string; region?: string } = {};
    try {
      const heard = await services.regions.words.hear(wordTypes.handOver, word);
      const claims = parseClaims(handOverClaims, heard);
      facts = { personId: claims.sub, region: heard.region };
      if (exchange.raw.request.headers.origin !== heard.region)
        throw new HandOverRefused('the form comes from another region than the word');
      const browserId = await exchange.findBrowserId();
      if (browserId === undefined) throw new HandOverRefused('the browser has never been here');

      const by = { region: heard.region, personId: claims.sub, browserId };
      const arrival = await useUp(services, heard, claims.request, by);
      const locale = supportedLocales.find((supported) => supported === claims.ui_locales);
      if (locale !== undefined) cookies.writeLocale(exchange, locale);
      facts = { ...facts, clientId: arrival.clientId };
      const { person, place } = await requireEnterable(services, claims.sub, { id: arrival.siteId });
      facts = { ...facts, site: place.name };
      const initiateLoginUri = await requireInitiateLoginUri(services, arrival.clientId);
      const targetLink = findTargetLink(initiateLoginUri, claims.target_link_uri);

      const proof: CarriedProof = {
        methods: claims.amr,
        externallyAuthenticated: claims.externally_authenticated,
        authenticatedAt: new Date(claims.auth_time * 1000),
      };
      const missing = await findMissingProof(services, { person, site: place, proof, arrival }, exchange);
      if (missing !== undefined) {
        // nothing begins here: what the site asks for is asked in this region's own sign-in
        note('failure', `this region asks for more: ${missing}`);
        cookies.writeSite(exchange, place.name);
        return goOn(initiateLoginUri, { loginHint: person.userName, targetLink, locale });
      }
      await begin(heard, claims, { person, place, proof });
      note('success', undefined);
      return goOn(initiateLoginUri, { targetLink, locale });
    } catch (error) {
      return await showRefusedHandOver(services, facts, error, exchange);
    }

    function note(result: 'success' | 'failure', reason: string | undefined): void {
      const { region, ...rest } = facts;
      const details = { from: region };
      services.audit.note({ event: 'region.hand-over', result, reason, ...rest, details }, exchange);
    }

    function goOn(address: string, beginning: Beginning): Onward {
      const onward = initiateLoginAddress(address, services.config.publicUrl, beginning);
      return drawOnward(onward, beginning.locale ?? localeOf(exchange.raw.request.headers));
    }

    async function begin(
      { region }: HeardWord,
      { link: id, session_expires_at: expiresAt }: v.InferOutput<typeof handOverClaims>,
      { person, place, proof }: { person: Person; place: SiteMembership; proof: CarriedProof },
    ): Promise<void> {
      const { clock } = services;
      const needed = { clock, keyRing: services.keys.oneTimeSecrets };
      const facts = {
        ...proof,
        account: person,
        authSite: place.name,
        absoluteExpiresAt: new Date(expiresAt * 1000),
      };
      await beginSession(services, facts, exchange, async (transaction, { browserId, absoluteExpiresAt }) => {
        if (!(await noteBeginning(transaction, needed, { region, id })))
          throw new HandOverRefused('the session over there has ended meanwhile');
        const link = { id, region, direction: 'from', personId: person.id, browserId } as const;
        await keepLink(transaction, { ...link, expiresAt: absoluteExpiresAt }, clock.now());
      });
    }
  };
}

/** Both at once and before anything else is looked at: whatever follows, neither the word nor the request is good again. */
async function useUp(
  { database, clock, keys }: Needed,
  heard: HeardWord,
  request: string,
  by: { region: string; personId: string; browserId: string },
): Promise<Arrival> {
  const keyRing = keys.oneTimeSecrets;
  return await database.transaction().execute(async (transaction) => {
    if (!(await noteUse(transaction, { clock, keyRing }, heard)))
      throw new HandOverRefused('the word was used before');
    const arrival = await takeArrival({ database: transaction, clock, keyRing }, request, by);
    if (arrival === undefined)
      throw new HandOverRefused('no such request of this person in this browser, or too late');
    return arrival;
  });
}

async function requireFirstUse({ database, clock, keys }: Needed, heard: HeardWord): Promise<void> {
  if (!(await noteUse(database, { clock, keyRing: keys.oneTimeSecrets }, heard)))
    throw new HandOverRefused('the word was used before');
}

/** Somebody who may sign in, at a site whose home this is and that they may enter. */
async function requireEnterable(
  { database, config }: Needed,
  personId: string,
  site: { name: string } | { id: string },
): Promise<{ person: Person; place: SiteMembership }> {
  const person = await findActivePerson(database, personId);
  if (person === undefined) throw new HandOverRefused('nobody of that id may sign in here');
  const place = await findSiteMembership(database, site, personId);
  const closed = whyClosed(place, person);
  if (place === undefined || closed === 'not-a-member')
    throw new HandOverRefused('no such site of this person');
  if (isElsewhere(place, config.publicUrl))
    throw new HandOverRefused('the home of the site is another region');
  if (closed === 'entitlement')
    throw new HandOverRefused('the entitlement requirements of the site are not met');
  return { person, place };
}

/** The application gets its tokens from this region by asking for them itself: nothing of the other region's request is answered here. */
async function requireInitiateLoginUri({ database }: Needed, clientId: string): Promise<string> {
  const client = await findClient(database, clientId);
  if (client?.initiateLoginUri === undefined)
    throw new HandOverRefused('the application is not registered here, or has no initiate_login_uri');
  return client.initiateLoginUri;
}

function parseClaims<TSchema extends v.GenericSchema>(
  schema: TSchema,
  { claims }: HeardWord,
): v.InferOutput<TSchema> {
  const result = v.safeParse(schema, claims);
  if (!result.success) throw new HandOverRefused('the word does not say what it must');
  return result.output;
}
