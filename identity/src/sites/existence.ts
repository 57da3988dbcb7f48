import type { CallAnswer, CallInput } from '@anteroom/contract';
import type { Config } from '../config.ts';
import type { Exchange } from '../http/exchange.ts';
import { pageAddress } from '../http/page-addresses.ts';
import { findHome } from '../lib/home-region.ts';
import type { Database } from '../store/schema.ts';
import { resolveSite } from './resolve-site.ts';
import { findSite } from './sites-store.ts';
import type { Site } from './sites-store.ts';

/** Returns whether a site matches the visitor's input, with its name, organisation and home region. */
export function createGetSiteExistence({
  config,
  database,
}: {
  config: Pick<Config, 'publicUrl' | 'regions'>;
  database: Database;
}) {
  return async (
    { params }: CallInput<'getSiteExistence'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'getSiteExistence'>> => {
    const site = await exchange.guessSite(() =>
      resolveSite(database, params.name, (name) => findSite(database, name)),
    );
    const home = site && findHome(config, site.identityServiceUrl);
    if (home === undefined) return { siteExists: false };
    return {
      siteExists: true,
      name: site?.name,
      ...findOrganisation(site),
      identityServiceUrl: home,
      // The home region of the site stores the password.
      forgotPasswordUrl: pageAddress(home, 'forgottenPassword'),
    };
  };
}

/** What the service reveals of a site's organisation before sign-in. Nothing for an unlisted site. */
export function findOrganisation(site: Site | undefined): {
  displayName?: string;
  logoPath?: string | undefined;
} {
  return site?.isListed === true ? { displayName: site.displayName, logoPath: site.logoPath } : {};
}
