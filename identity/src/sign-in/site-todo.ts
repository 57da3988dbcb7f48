import type { CallAnswer, CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Services } from '../services.ts';
import { findSiteMembership, whyClosed } from '../sites/site-memberships-store.ts';
import { requirePerson } from './visit.ts';

/** Nothing awaits somebody of whom no board system has said anything. */
const nothing: CallAnswer<'getSiteTodo'> = {
  pendingVoteCount: 0,
  openQuestionnairesCount: 0,
  directorHomePageEnabled: true,
  minutesCount: 0,
  actionItemsCount: 0,
  books: [],
};

/** What awaits the signed-in person at one of their own sites; of any other site nobody learns whether it is there. */
export function createGetSiteTodo({ database, toDos }: Pick<Services, 'database' | 'toDos'>) {
  return async (
    { params }: CallInput<'getSiteTodo'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'getSiteTodo'>> => {
    const person = await requirePerson({ database }, exchange);
    const site = await findSiteMembership(database, { name: params.site }, person.id);
    const closed = whyClosed(site, person);
    if (site === undefined || closed === 'not-a-member') {
      throw new ContractError('not_found', { detail: 'no such site of this person' });
    }
    // what lies behind a second factor is not told to somebody who has none
    if (closed === 'second-factor') {
      throw new ContractError('forbidden', { detail: 'the person has no second factor' });
    }
    if (!site.directorToDosEnabled) return { ...nothing, directorHomePageEnabled: false };
    const { correlationId, log } = exchange;
    return (await toDos.find({ person, site, correlationId, log })) ?? nothing;
  };
}
