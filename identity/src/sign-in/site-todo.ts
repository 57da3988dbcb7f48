import type { CallAnswer, CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Services } from '../services.ts';
import { findPlace } from '../sites/places-store.ts';
import { findToDos } from '../todos/to-dos-store.ts';
import { requirePerson } from './own-sites.ts';

/** What awaits the signed-in person at one of their own sites; of any other site nobody learns whether it is there. */
export function createGetSiteTodo({ database }: Pick<Services, 'database'>) {
  return async (
    { params }: CallInput<'getSiteTodo'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'getSiteTodo'>> => {
    const { person } = await requirePerson({ database }, exchange);
    const site = await findPlace(database, { name: params.site }, person.id);
    if (site?.isMember !== true) {
      throw new ContractError('not_found', { detail: 'no such site of this person' });
    }
    const toDos = await findToDos(database, person.id, site.id);
    return {
      pendingVoteCount: toDos?.pendingVotes ?? 0,
      openQuestionnairesCount: toDos?.openQuestionnaires ?? 0,
      directorHomePageEnabled: toDos?.directorHomePageEnabled ?? true,
      minutesCount: toDos?.minutes ?? 0,
      actionItemsCount: toDos?.actionItems ?? 0,
      books: toDos?.books ?? [],
    };
  };
}
