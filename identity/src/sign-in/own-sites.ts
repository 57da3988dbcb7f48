import type { CallAnswer } from '@anteroom/contract';
import type { preferenceCalls } from '@anteroom/contract/preferences';
import { ContractError } from '../http/errors.ts';
import { parseReturnUrl } from '../openid/return-url.ts';
import { findSignIn } from '../sign-ins/sign-ins-store.ts';
import type { Services } from '../services.ts';
import { findSiteListPage } from '../sites/own-sites-store.ts';
import { buildSiteTree } from '../sites/site-tree.ts';
import { findSiteMembership, findEntryRefusal } from '../sites/site-memberships-store.ts';
import type { Handlers, CallHandler } from '../http/routes.ts';
import { savePreferences } from '../users/users-store.ts';
import { listShownFactors } from './shown-factors.ts';
import { requirePerson } from './visit.ts';

/** Returns the sites that the signed-in user can select. */
export function createGetSites(
  services: Pick<Services, 'config' | 'database' | 'clock'>,
): CallHandler<'getSites'> {
  return async ({ query }, exchange) => {
    const session = await exchange.requireSignedIn();
    const page = await findSiteListPage(services.database, {
      personId: session.personId,
      clientId: await findClientId(services, query.returnUrl, session.browserId),
    });
    if (page === undefined) throw new ContractError('unauthorized', { detail: 'the user is disabled' });
    return {
      sites: buildSiteTree(page, {
        factors: { ...page.factors, shown: listShownFactors(session.methods) },
        currentSite: session.authSite,
      }),
      userFirstName: page.firstName,
      userLastName: page.lastName,
      boardsUserName: page.boardsUserName,
      // A single value for the whole list. The call for each site reports whether that site shows to-dos.
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

/** The response for a user without to-dos. */
const nothing: CallAnswer<'getSiteTodo'> = {
  pendingVoteCount: 0,
  openQuestionnairesCount: 0,
  directorHomePageEnabled: true,
  minutesCount: 0,
  actionItemsCount: 0,
  books: [],
};

/** Returns the to-dos of the signed-in user at one of the user's sites. The response does not reveal whether another site exists. */
export function createGetSiteTodo({
  database,
  toDos,
}: Pick<Services, 'database' | 'toDos'>): CallHandler<'getSiteTodo'> {
  return async ({ params }, exchange) => {
    const person = await requirePerson({ database }, exchange);
    const site = await findSiteMembership(database, { name: params.site }, person.id);
    const refusal = findEntryRefusal(site, person);
    if (site === undefined || refusal === 'not-a-member') {
      throw new ContractError('not_found', { detail: 'the user is not a member of such a site' });
    }
    if (refusal === 'second-factor') {
      throw new ContractError('forbidden', { detail: 'the user has no second factor that the site accepts' });
    }
    if (!site.directorToDosEnabled) return { ...nothing, directorHomePageEnabled: false };
    const { correlationId, log } = exchange;
    return (await toDos.find({ person, site, correlationId, log })) ?? nothing;
  };
}

/** Stores the preferences of the signed-in user. */
export function createPreferences({
  database,
}: Pick<Services, 'database'>): Handlers<typeof preferenceCalls> {
  return {
    async setPreferences({ body }, exchange) {
      const person = await requirePerson({ database }, exchange);
      await savePreferences(database, person.id, body);
      return undefined;
    },
  };
}
