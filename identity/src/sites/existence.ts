import type { CallAnswer, CallInput } from '@anteroom/contract';
import type { Config } from '../config.ts';
import type { Exchange } from '../http/exchange.ts';
import { pageAddress } from '../http/page-addresses.ts';
import { findHome } from '../lib/home-region.ts';
import type { Database } from '../store/schema.ts';
import { resolveSite } from './resolve-site.ts';
import { findSite } from './sites-store.ts';
import type { Site } from './sites-store.ts';

/** Whether there is a site for what a visitor typed, what it is called, and which identity service is its home. */
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
      // whoever has a password has it at the site's home
      forgotPasswordUrl: pageAddress(home, 'forgottenPassword'),
    };
  };
}

/** What visitors who have not signed in may know of the organisation; nothing of an unlisted one. */
export function findOrganisation(site: Site | undefined): {
  displayName?: string;
  logoPath?: string | undefined;
} {
  return site?.isListed === true ? { displayName: site.displayName, logoPath: site.logoPath } : {};
}
