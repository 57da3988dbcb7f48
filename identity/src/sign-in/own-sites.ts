import type { CallAnswer, CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseReturnUrl } from '../openid/return-url.ts';
import { findSignIn } from '../sign-ins/sign-ins-store.ts';
import type { Services } from '../services.ts';
import { findSiteListPage } from '../sites/own-sites-store.ts';
import { buildSiteTree } from '../sites/site-tree.ts';

/** The sites that the signed-in person may choose from: one statement beside the session's and the sign-in's. */
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
        hasSecondFactor: page.hasSecondFactor,
        currentSite: session.authSite,
      }),
      userFirstName: page.firstName,
      userLastName: page.lastName,
      boardsUserName: page.boardsUserName,
      // one answer for the whole list; a site without to-dos says so when it is asked about
      directorToDoItemsEnabled: page.sites.some(({ directorToDosEnabled }) => directorToDosEnabled),
      recentSitesFirst: page.recentSitesFirst,
      ...(page.recentSitesFirst && { recentSites: page.recentSites }),
    };
  };
}

/** The application that the sign-in is for: it may have words of its own for a person's part in a site. A list without one is shown all the same. */
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
  return new ContractError('unauthorized', { detail: 'the person is disabled' });
}
