import type { CallAnswer, CallInput } from '@anteroom/contract';
import { typedSignInName } from '@anteroom/contract/typed-text';
import {
  findConnection,
  findConnectionOfDomain,
  findConnectionOfSite,
  findDomain,
} from './connections-store.ts';
import type { Connection } from './connection.ts';
import type { Services } from '../services.ts';
import type { FoundSession } from '../sessions/session.ts';
import type { Site } from '../sites/sites-store.ts';
import type { Exchange } from '../http/exchange.ts';
import { findNamedSite } from '../sites/resolve-site.ts';
import { storeHint } from '../sign-in/sign-ins-store.ts';
import { findActiveSignIn } from '../sign-in/find-sign-in.ts';

/**
 * The connection for a sign-in: the connection of the site if the site does not allow passwords; otherwise the
 * connection through which this browser entered the site; otherwise the connection of the e-mail domain. Only the
 * configuration and the session of this browser decide. No user is looked up, so the result does not reveal who exists
 * (attacks and faults, S28).
 */
export async function findConnectionFor(
  { database, keys }: Pick<Services, 'database' | 'keys'>,
  site: Site | undefined,
  usernameOrEmail: string | undefined,
  found: FoundSession,
): Promise<Connection | undefined> {
  if (site?.connectionId !== undefined && !site.allowPasswordEntry)
    return await findConnectionOfSite(database, keys, site.id);
  const own = site && findEntryConnectionId(site, found);
  if (own !== undefined) return await findConnection(database, keys, own);
  const domain = usernameOrEmail === undefined ? undefined : findDomain(usernameOrEmail);
  if (domain !== undefined) return await findConnectionOfDomain(database, keys, domain);
  // Without a user name, the site's own connection decides.
  return site?.connectionId === undefined || usernameOrEmail !== undefined
    ? undefined
    : await findConnectionOfSite(database, keys, site.id);
}

/** The connection through which this browser's session entered the site. */
export function findEntryConnectionId(site: Pick<Site, 'name'>, found: FoundSession): string | undefined {
  const isInside = found.state === 'valid' && found.session.authSite === site.name;
  return isInside && found.session.externallyAuthenticated ? found.session.connectionId : undefined;
}

/**
 * Whether the page asks for user name and password together. If a provider may be responsible, the page first asks for
 * the user name, because its e-mail domain decides.
 */
export function isPasswordAskedFirst(site: Site, found: FoundSession): boolean {
  return (
    site.allowPasswordEntry &&
    site.connectionId === undefined &&
    findEntryConnectionId(site, found) === undefined
  );
}

type SiteRequest = CallInput<'postSiteSettings'>['body'];
type UserRequest = CallInput<'postUserSettings'>['body'];
type Needed = Pick<Services, 'config' | 'database' | 'keys' | 'clock' | 'regions'>;

/** Returns how users sign in at a site. For an unknown site, returns the default settings. */
export function createSiteSettings(services: Needed) {
  const answer = async (
    { site: name, returnUrl }: SiteRequest,
    exchange: Exchange,
  ): Promise<CallAnswer<'getSiteSettings'>> => {
    const site = await findNamedSite(services.database, name, exchange);
    await findActiveSignIn(services, returnUrl, exchange);
    return {
      allowPasswordEntry: site === undefined || isPasswordAskedFirst(site, await exchange.findSession()),
    };
  };
  return {
    get: ({ query }: CallInput<'getSiteSettings'>, exchange: Exchange) => answer(query, exchange),
    post: ({ body }: CallInput<'postSiteSettings'>, exchange: Exchange) => answer(body, exchange),
  };
}

/**
 * Returns whether a user signs in at an identity provider. Only the configuration of the site or of the e-mail domain
 * decides; no user is looked up. An e-mail address in a configured domain is stored with the sign-in, because the later
 * redirect to the provider needs it.
 */
export function createUserSettings(services: Needed) {
  const { database } = services;
  const answer = async (
    { site: name, usernameOrEmail, returnUrl }: UserRequest,
    exchange: Exchange,
  ): Promise<CallAnswer<'getUserSettings'>> => {
    const site = await findNamedSite(database, name, exchange);
    const found = await exchange.findSession();
    const connection = await findConnectionFor(services, site, usernameOrEmail, found);
    const signIn = await findActiveSignIn(services, returnUrl, exchange);
    // Any other input in this field may be a mistyped password, so it is not stored.
    const isCompanyAddress = connection?.emailDomains.includes(findDomain(usernameOrEmail) ?? '') === true;
    if (isCompanyAddress && signIn !== undefined)
      await storeHint(database, signIn, typedSignInName(usernameOrEmail));
    return { shouldRedirectToExternalAuth: connection !== undefined || site?.allowPasswordEntry === false };
  };
  return {
    get: ({ query }: CallInput<'getUserSettings'>, exchange: Exchange) => answer(query, exchange),
    post: ({ body }: CallInput<'postUserSettings'>, exchange: Exchange) => answer(body, exchange),
  };
}
