import { expect, test } from 'vitest';
import type { SiteTodo } from '../../flow/model.ts';
import { badgesOf, isNothingAwaiting } from './todos.ts';

const todoOf = (counts: Partial<Extract<SiteTodo, { toDosApiStatus: 'Success' }>>): SiteTodo => ({
  toDosApiStatus: 'Success',
  directorHomePageEnabled: true,
  newMaterials: false,
  bookUpdates: false,
  votesCount: 0,
  questionnairesCount: 0,
  minutesCount: 0,
  actionItemsCount: 0,
  ...counts,
});

test('shows a badge for each count above 0, in a fixed order [2.63]', () => {
  const badges = badgesOf(todoOf({ actionItemsCount: 1, votesCount: 2 }));
  expect(badges.map(({ type }) => type)).toEqual(['vote', 'actionItem']);
});

test('shows 20, caps higher counts, and never caps votes [9.5]', () => {
  const badges = badgesOf(
    todoOf({ votesCount: 21, questionnairesCount: 21, minutesCount: 20, actionItemsCount: 300 }),
  );
  expect(badges.map(({ isCapped }) => isCapped)).toEqual([false, true, false, true]);
});

test('shows none without a director home page or before the counts have loaded [6.2]', () => {
  expect(badgesOf(todoOf({ votesCount: 1, directorHomePageEnabled: false }))).toEqual([]);
  expect(badgesOf({ toDosApiStatus: 'Error' })).toEqual([]);
  expect(badgesOf(undefined)).toEqual([]);
});

test.each([
  ['every site has answered without counts', { a: todoOf({}), b: todoOf({}) }, true],
  [
    'a site has no director home page',
    { a: todoOf({}), b: todoOf({ directorHomePageEnabled: false }) },
    true,
  ],
  ['no site has a director home page', { a: todoOf({ directorHomePageEnabled: false }) }, false],
  ['a site has a count', { a: todoOf({}), b: todoOf({ votesCount: 1 }) }, false],
  ['a site has a new book', { a: todoOf({ newMaterials: true }) }, false],
  ['a site has not answered', { a: todoOf({}), b: { toDosApiStatus: 'Loading' } as const }, false],
  ['a site has failed', { a: todoOf({}), b: { toDosApiStatus: 'Error' } as const }, false],
  ['to-dos are not shown', {}, false],
])('knows whether nothing awaits: %s', (_, todos, isNothing) => {
  expect(isNothingAwaiting(todos)).toBe(isNothing);
});
