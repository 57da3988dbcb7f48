import type { CallAnswer, CallInput } from '@anteroom/contract';
import { findDomain } from '../enterprise/connections-store.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Services } from '../services.ts';
import { findNamedSite } from '../sites/resolve-site.ts';
import { findConnectionFor, isPasswordAskedFirst } from './home-realm-discovery.ts';
import { storeHint } from '../sign-ins/sign-ins-store.ts';
import { findActiveSignIn } from './visit.ts';

type SiteRequest = CallInput<'postSiteSettings'>['body'];
type UserRequest = CallInput<'postUserSettings'>['body'];
type Needed = Pick<Services, 'config' | 'database' | 'keys' | 'clock' | 'regions'>;

/** Returns how users sign in at a site. An unknown site gets the response of a site with default settings. */
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
 * decides; no user is looked up. An address of a configured domain is stored with the sign-in, because the call that
 * redirects to the provider does not repeat it.
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
    // Anything else in this field may be a mistyped password, so it is not stored.
    const isCompanyAddress = connection?.emailDomains.includes(findDomain(usernameOrEmail) ?? '') === true;
    if (isCompanyAddress && signIn !== undefined) await storeHint(database, signIn, usernameOrEmail);
    return { shouldRedirectToExternalAuth: connection !== undefined || site?.allowPasswordEntry === false };
  };
  return {
    get: ({ query }: CallInput<'getUserSettings'>, exchange: Exchange) => answer(query, exchange),
    post: ({ body }: CallInput<'postUserSettings'>, exchange: Exchange) => answer(body, exchange),
  };
}
