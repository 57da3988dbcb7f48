import type { SiteTodo } from '../../flow/model.ts';

/** The kinds of to-dos with a badge, in order (wire contract, "Names in the page"). */
const todoTypes = ['vote', 'questionnaire', 'minutes', 'actionItem'] as const;
type TodoType = (typeof todoTypes)[number];

/** Higher counts are shown as '20+'; votes are not capped (specification, point 9). */
export const todoCap = 20;
const capped: ReadonlySet<TodoType> = new Set<TodoType>(['questionnaire', 'minutes', 'actionItem']);

export interface Badge {
  type: TodoType;
  count: number;
  isCapped: boolean;
}

/** The badges of a site: each kind with a count above 0. A site without a director home page has none. */
export function badgesOf(todo: SiteTodo | undefined): readonly Badge[] {
  if (todo?.toDosApiStatus !== 'Success' || !todo.directorHomePageEnabled) return [];
  const counts: Record<TodoType, number> = {
    vote: todo.votesCount,
    questionnaire: todo.questionnairesCount,
    minutes: todo.minutesCount,
    actionItem: todo.actionItemsCount,
  };
  return todoTypes
    .map((type) => ({ type, count: counts[type], isCapped: capped.has(type) && counts[type] > todoCap }))
    .filter(({ count }) => count > 0);
}

/** What is new among the books of a site, named like the keys of the texts (specification, point 2). */
type BookMark = 'newBook' | 'bookUpdate';

export function marksOf(todo: SiteTodo | undefined): readonly BookMark[] {
  if (todo?.toDosApiStatus !== 'Success') return [];
  return [
    ...(todo.newMaterials ? ['newBook' as const] : []),
    ...(todo.bookUpdates ? ['bookUpdate' as const] : []),
  ];
}

export function isPending(todo: SiteTodo | undefined): boolean {
  return todo?.toDosApiStatus === 'Initial' || todo?.toDosApiStatus === 'Loading';
}

type Todos = Readonly<Record<string, SiteTodo>>;

/** Whether the to-dos of a site could not be loaded. */
export function hasFailed(todos: Todos): boolean {
  // Creates no list, because this runs after the answer of each of up to 2,000 sites.
  for (const site in todos) if (todos[site]?.toDosApiStatus === 'Error') return true;
  return false;
}

/**
 * Whether nothing awaits the user at any site. False while it is unknown: a site has not answered, or no site has a
 * director home page.
 */
export function isNothingAwaiting(todos: Todos): boolean {
  let isKnown = false;
  // Ends at the first site that decides it.
  for (const site in todos) {
    const todo = todos[site];
    if (todo?.toDosApiStatus !== 'Success' || badgesOf(todo).length + marksOf(todo).length > 0) return false;
    isKnown ||= todo.directorHomePageEnabled;
  }
  return isKnown;
}
