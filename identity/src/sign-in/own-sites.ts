import type { CallAnswer, CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { findActivePerson } from '../people/people-store.ts';
import type { Person } from '../people/people-store.ts';
import type { Services } from '../services.ts';
import type { SignedInSession } from '../sessions/session.ts';
import { listOwnSites } from '../sites/own-sites-store.ts';
import { buildSiteTree } from '../sites/site-tree.ts';
import { listSeenBooks } from '../todos/to-dos-store.ts';

type Needed = Pick<Services, 'database'>;

/** The sites that the signed-in person may choose from. */
export function createGetSites({ database }: Needed) {
  return async (_input: CallInput<'getSites'>, exchange: Exchange): Promise<CallAnswer<'getSites'>> => {
    const { session, person } = await requirePerson({ database }, exchange);
    const sites = await listOwnSites(database, person.id);
    const seenBooks = await listSeenBooks(database, person.id);
    return {
      sites: buildSiteTree(sites, {
        hasSecondFactor: person.phoneNumber !== undefined,
        currentSite: session.authSite,
        seenBooks,
      }),
      userFirstName: person.firstName,
      userLastName: person.lastName,
      boardsUserName: person.boardsUserName,
      directorToDoItemsEnabled: true,
    };
  };
}

/** Whoever is signed in here. @throws `unauthorized`, also for somebody who has been disabled meanwhile. */
export async function requirePerson(
  { database }: Needed,
  exchange: Exchange,
): Promise<{ session: SignedInSession; person: Person }> {
  const session = await exchange.requireSignedIn();
  const person = await findActivePerson(database, session.personId);
  if (person === undefined) throw new ContractError('unauthorized', { detail: 'the person is disabled' });
  return { session, person };
}
