import type { CallAnswer, CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Services } from '../services.ts';
import { findSiteMembership, findEntryRefusal } from '../sites/site-memberships-store.ts';
import { requirePerson } from './visit.ts';

/** The answer for a user without any to-dos from a board system. */
const nothing: CallAnswer<'getSiteTodo'> = {
  pendingVoteCount: 0,
  openQuestionnairesCount: 0,
  directorHomePageEnabled: true,
  minutesCount: 0,
  actionItemsCount: 0,
  books: [],
};

/** Returns the to-dos of the signed-in user at one of the user's sites. The response does not reveal whether another site exists. */
export function createGetSiteTodo({ database, toDos }: Pick<Services, 'database' | 'toDos'>) {
  return async (
    { params }: CallInput<'getSiteTodo'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'getSiteTodo'>> => {
    const person = await requirePerson({ database }, exchange);
    const site = await findSiteMembership(database, { name: params.site }, person.id);
    const refusal = findEntryRefusal(site, person);
    if (site === undefined || refusal === 'not-a-member') {
      throw new ContractError('not_found', { detail: 'the user is not a member of such a site' });
    }
    // A site that requires a second factor does not show its to-dos without one.
    if (refusal === 'second-factor') {
      throw new ContractError('forbidden', { detail: 'the user has no second factor that the site accepts' });
    }
    if (!site.directorToDosEnabled) return { ...nothing, directorHomePageEnabled: false };
    const { correlationId, log } = exchange;
    return (await toDos.find({ person, site, correlationId, log })) ?? nothing;
  };
}
