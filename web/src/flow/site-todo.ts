import type { BookVersion } from '@anteroom/contract';
import { freshMaterials } from './books.ts';
import type { SiteTodo, SiteTodoAnswer } from './model.ts';

/** Reduces an answer to what the site list shows. Loaded with the site list, because a sign-in does not need it. */
export function toSiteTodo(answer: SiteTodoAnswer, storedBooks: readonly BookVersion[]): SiteTodo {
  return {
    toDosApiStatus: 'Success',
    ...freshMaterials(answer.books ?? [], storedBooks),
    votesCount: answer.pendingVoteCount,
    questionnairesCount: answer.openQuestionnairesCount,
    minutesCount: answer.minutesCount,
    actionItemsCount: answer.actionItemsCount,
    directorHomePageEnabled: answer.directorHomePageEnabled,
  };
}
