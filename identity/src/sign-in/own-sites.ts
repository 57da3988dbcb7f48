import type { CallAnswer } from '@anteroom/contract';
import type { preferenceCalls } from '@anteroom/contract/preferences';
import { ContractError } from '../http/errors.ts';
import { parseReturnUrl } from '../provider/return-url.ts';
import { findSignIn } from './sign-ins-store.ts';
import type { SignIn } from './sign-ins-store.ts';
import type { Services } from '../services.ts';
import { findSiteListPage } from '../sites/own-sites-store.ts';
import { buildSiteTree } from '../sites/site-tree.ts';
import { findSiteMembership, findEntryRefusal, pinSite } from '../sites/site-memberships-store.ts';
import type { Handlers, CallHandler } from '../http/routes.ts';
import { savePreferences } from '../users/users-store.ts';
import { requireUser, toFactorUser } from './visit.ts';

/** Returns the sites that the signed-in user can select. */
export function createGetSites(
  services: Pick<Services, 'config' | 'database' | 'clock'>,
): CallHandler<'getSites'> {
  return async ({ query }, exchange) => {
    const session = await exchange.requireSignedIn();
    const signIn = await findOptionalSignIn(services, query.returnUrl, session.browserId);
    const page = await findSiteListPage(services.database, {
      userId: session.userId,
      clientId: signIn?.clientId,
    });
    if (page === undefined) throw new ContractError('unauthorized', { detail: 'the user is disabled' });
    return {
      sites: buildSiteTree(page, {
        user: toFactorUser(page.owner, session.methods, exchange),
        // A company's session does not open the part of the account page with the factors.
        mayAddFactors: !session.externallyAuthenticated,
        // After a request to switch the site, the provider would lead back to the list, because no site is selected.
        mayUseCompany: signIn?.promptMethod !== 'switch_site',
        currentSite: session.authSite,
      }),
      userFirstName: page.firstName,
      userLastName: page.lastName,
      boardsUserName: page.boardsUserName,
      // A single value for the whole list. The call for each site reports whether that site shows to-dos.
      directorToDoItemsEnabled: page.sites.some(({ directorToDosEnabled }) => directorToDosEnabled),
      recentSitesFirst: page.recentSitesFirst,
      ...(page.recentSitesFirst && { recentSites: page.recentSites }),
      pinnedSites: page.pinnedSites,
    };
  };
}

/** The sign-in, whose application may define its own role names. Optional: the list works without it. */
async function findOptionalSignIn(
  { config, database, clock }: Pick<Services, 'config' | 'database' | 'clock'>,
  returnUrl: string | undefined,
  browserId: string,
): Promise<SignIn | undefined> {
  const uid = parseReturnUrl(returnUrl, config.publicUrl)?.uid;
  return uid === undefined ? undefined : await findSignIn(database, uid, browserId, clock.now());
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
    const { user, factorUser } = await requireUser({ database }, exchange);
    const site = await findSiteMembership(database, { name: params.site }, user.id);
    const refusal = findEntryRefusal(site, factorUser);
    if (site === undefined || refusal === 'not-a-member') {
      throw new ContractError('not_found', { detail: 'the user is not a member of such a site' });
    }
    if (refusal === 'second-factor') {
      throw new ContractError('forbidden', { detail: 'the user has no second factor that the site accepts' });
    }
    if (!site.directorToDosEnabled) return { ...nothing, directorHomePageEnabled: false };
    const { correlationId, log } = exchange;
    return (await toDos.find({ user, site, correlationId, log })) ?? nothing;
  };
}

/** Stores how the signed-in user wants the list of sites. */
export function createPreferences({
  database,
}: Pick<Services, 'database'>): Handlers<typeof preferenceCalls> {
  return {
    async setPreferences({ body }, exchange) {
      const { user } = await requireUser({ database }, exchange);
      await savePreferences(database, user.id, body);
      return undefined;
    },
    async pinSite({ body }, exchange) {
      const { user } = await requireUser({ database }, exchange);
      if (!(await pinSite(database, { userId: user.id, ...body })))
        throw new ContractError('not_found', { detail: 'the user is not a member of such a site' });
      return undefined;
    },
  };
}
