import type { CallAnswer, CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseReturnUrl } from '../openid/return-url.ts';
import { findSignIn } from '../sign-ins/sign-ins-store.ts';
import type { Services } from '../services.ts';
import { findSiteListPage } from '../sites/own-sites-store.ts';
import { buildSiteTree } from '../sites/site-tree.ts';
import { listShownFactors } from './shown-factors.ts';

/** Returns the sites that the signed-in user can select. One statement reads them all. */
export function createGetSites(services: Pick<Services, 'config' | 'database' | 'clock'>) {
  return async ({ query }: CallInput<'getSites'>, exchange: Exchange): Promise<CallAnswer<'getSites'>> => {
    const session = await exchange.requireSignedIn();
    const page = await findSiteListPage(services.database, {
      personId: session.personId,
      clientId: await findClientId(services, query.returnUrl, session.browserId),
    });
    if (page === undefined) throw disabled();
    return {
      sites: buildSiteTree(page, {
        factors: { ...page.factors, shown: listShownFactors(session.methods) },
        currentSite: session.authSite,
      }),
      userFirstName: page.firstName,
      userLastName: page.lastName,
      boardsUserName: page.boardsUserName,
      // One value for the whole list. A site without to-dos says so in its own call.
      directorToDoItemsEnabled: page.sites.some(({ directorToDosEnabled }) => directorToDosEnabled),
      recentSitesFirst: page.recentSitesFirst,
      ...(page.recentSitesFirst && { recentSites: page.recentSites }),
    };
  };
}

/** The application of the sign-in, which may define its own role names. Optional: the list works without it. */
async function findClientId(
  { config, database, clock }: Pick<Services, 'config' | 'database' | 'clock'>,
  returnUrl: string | undefined,
  browserId: string,
): Promise<string | undefined> {
  const uid = parseReturnUrl(returnUrl, config.publicUrl)?.uid;
  const signIn = uid === undefined ? undefined : await findSignIn(database, uid, browserId, clock.now());
  return signIn?.clientId;
}

function disabled(): ContractError {
  return new ContractError('unauthorized', { detail: 'the user is disabled' });
}
