import type { BookVersion } from '@anteroom/contract';
import { freshMaterials } from './books.ts';
import type { SiteTodo, SiteTodoAnswer } from './model.ts';

/** What is kept of an answer, against what the person has already seen. It comes with the site list: a sign-in does not carry it. */
export function todoAsKept(answer: SiteTodoAnswer, storedBooks: readonly BookVersion[]): SiteTodo {
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
