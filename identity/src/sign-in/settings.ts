import type { CallAnswer, CallInput } from '@anteroom/contract';
import { findDomain } from '../enterprise/connections-store.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseReturnUrl } from '../openid/return-url.ts';
import type { Services } from '../services.ts';
import { findSite } from '../sites/sites-store.ts';
import { findConnectionFor, isPasswordAskedFirst } from './find-connection.ts';
import { browserIdOf } from './find-sign-in.ts';
import { keepHint } from './progress-store.ts';
import { findSignInOfRegion } from './region-sign-in.ts';

type SiteRequest = CallInput<'postSiteSettings'>['body'];
type UserRequest = CallInput<'postUserSettings'>['body'];
type Needed = Pick<Services, 'config' | 'database' | 'keys' | 'clock' | 'regions'>;

/** How people sign in at a site. A site that nobody has answers as one without settings of its own. */
export function createSiteSettings({ database }: Pick<Needed, 'database'>) {
  const answer = async (
    { site: name }: SiteRequest,
    exchange: Exchange,
  ): Promise<CallAnswer<'getSiteSettings'>> => {
    const site = await findSite(database, name);
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
  const { config, database } = services;
  const answer = async (
    { site: name, usernameOrEmail, returnUrl }: UserRequest,
    exchange: Exchange,
  ): Promise<CallAnswer<'getUserSettings'>> => {
    const site = name === undefined || name === '' ? undefined : await findSite(database, name);
    const found = await exchange.findSession();
    const connection = await findConnectionFor(services, site, usernameOrEmail, found);
    // before a trip from the page of another region, which names its own sign-in
    const ofRegion = await findSignInOfRegion(services, returnUrl, exchange);
    const uid = ofRegion?.uid ?? parseReturnUrl(returnUrl, config.publicUrl)?.uid;
    const browserId = ofRegion?.browserId ?? browserIdOf(found);
    // whatever else stands in that field may be a password that somebody typed there
    const isCompanyAddress = connection?.emailDomains.includes(findDomain(usernameOrEmail) ?? '') === true;
    if (isCompanyAddress && uid !== undefined && browserId !== undefined)
      await keepHint(database, { uid, browserId }, usernameOrEmail);
    return { shouldRedirectToExternalAuth: connection !== undefined || site?.allowPasswordEntry === false };
  };
  return {
    get: ({ query }: CallInput<'getUserSettings'>, exchange: Exchange) => answer(query, exchange),
    post: ({ body }: CallInput<'postUserSettings'>, exchange: Exchange) => answer(body, exchange),
  };
}
