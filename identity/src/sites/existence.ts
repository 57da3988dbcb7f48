import type { CallAnswer, CallInput } from '@anteroom/contract';
import type { Config } from '../config.ts';
import { pageAddress } from '../http/page-addresses.ts';
import { findHome } from '../lib/home-region.ts';
import type { Database } from '../store/schema.ts';
import { findSite } from './sites-store.ts';

/** Whether there is a site of that name, and which identity service is its home. */
export function createGetSiteExistence({
  config,
  database,
}: {
  config: Pick<Config, 'publicUrl' | 'regions'>;
  database: Database;
}) {
  return async ({ params }: CallInput<'getSiteExistence'>): Promise<CallAnswer<'getSiteExistence'>> => {
    const site = await findSite(database, params.name);
    const home = site && findHome(config, site.identityServiceUrl);
    if (home === undefined) return { siteExists: false };
    return {
      siteExists: true,
      identityServiceUrl: home,
      // whoever has a password has it at the site's home
      forgotPasswordUrl: pageAddress(home, 'forgottenPassword'),
    };
  };
}
