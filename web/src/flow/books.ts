import type { BookVersion } from '@anteroom/contract';
import type { SiteTodo, SiteTodoAnswer } from './model.ts';

type Versions = BookVersion['tabVersions'];

function differs(current: Versions, stored: Versions): boolean {
  if (current.length !== stored.length) return true;
  // The contract allows a version to be a number or a string: 2 equals '2'.
  const known = new Map(stored.map(({ id, version }) => [id, String(version)]));
  return current.some(({ id, version }) => known.get(id) !== String(version));
}

/** A book is new if it is unknown or marked new (specification, point 4). */
function isNew(current: BookVersion, stored: BookVersion | undefined): boolean {
  return stored === undefined || current.state === 'new';
}

/** A book is updated if it is marked updated, or if the count or version of any tab or document differs. */
function isUpdated(current: BookVersion, stored: BookVersion | undefined): boolean {
  if (current.state === 'updated') return true;
  if (isNew(current, stored) || stored === undefined) return false;
  return (
    differs(current.tabVersions, stored.tabVersions) ||
    differs(current.documentVersions, stored.documentVersions)
  );
}

/** Whether a site has new or updated books compared with the versions that the user has seen; both can be true. */
export function freshMaterials(
  books: readonly BookVersion[],
  storedBooks: readonly BookVersion[],
): { newMaterials: boolean; bookUpdates: boolean } {
  const storedById = new Map(storedBooks.map((book) => [book.bookId, book]));
  return {
    newMaterials: books.some((book) => isNew(book, storedById.get(book.bookId))),
    bookUpdates: books.some((book) => isUpdated(book, storedById.get(book.bookId))),
  };
}

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
