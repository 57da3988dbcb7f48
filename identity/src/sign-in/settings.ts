import type { CallAnswer, CallInput } from '@anteroom/contract';
import { findDomain } from '../enterprise/connections-store.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Services } from '../services.ts';
import { findNamedSite } from '../sites/resolve-site.ts';
import { findConnectionFor, isPasswordAskedFirst } from './home-realm-discovery.ts';
import { keepHint } from '../sign-ins/sign-ins-store.ts';
import { findActiveSignIn } from './visit.ts';

type SiteRequest = CallInput<'postSiteSettings'>['body'];
type UserRequest = CallInput<'postUserSettings'>['body'];
type Needed = Pick<Services, 'config' | 'database' | 'keys' | 'clock' | 'regions'>;

/** How people sign in at a site. A site that nobody has answers as one without settings of its own. */
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
 * Whether a person signs in elsewhere. Only what a site or an e-mail domain has configured decides it, never whether the name
 * exists: the people are not even looked up. An address whose domain leads elsewhere is kept with the sign-in, because the trip that
 * follows names no person.
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
    // whatever else stands in that field may be a password that somebody typed there
    const isCompanyAddress = connection?.emailDomains.includes(findDomain(usernameOrEmail) ?? '') === true;
    if (isCompanyAddress && signIn !== undefined) await keepHint(database, signIn, usernameOrEmail);
    return { shouldRedirectToExternalAuth: connection !== undefined || site?.allowPasswordEntry === false };
  };
  return {
    get: ({ query }: CallInput<'getUserSettings'>, exchange: Exchange) => answer(query, exchange),
    post: ({ body }: CallInput<'postUserSettings'>, exchange: Exchange) => answer(body, exchange),
  };
}
