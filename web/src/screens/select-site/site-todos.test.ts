import { expect, test } from 'vitest';
import type { SiteTodo } from '../../flow/model.ts';
import { badgesOf } from './SiteTodos.tsx';

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

test('shows a badge for each count above 0, in a fixed order', () => {
  const badges = badgesOf(todoOf({ actionItemsCount: 1, votesCount: 2 }));
  expect(badges.map(({ type }) => type)).toEqual(['vote', 'actionItem']);
});

test('shows 20, caps higher counts, and never caps votes', () => {
  const badges = badgesOf(
    todoOf({ votesCount: 21, questionnairesCount: 21, minutesCount: 20, actionItemsCount: 300 }),
  );
  expect(badges.map(({ isCapped }) => isCapped)).toEqual([false, true, false, true]);
});

test('shows none without a director home page or before the counts have loaded', () => {
  expect(badgesOf(todoOf({ votesCount: 1, directorHomePageEnabled: false }))).toEqual([]);
  expect(badgesOf({ toDosApiStatus: 'Error' })).toEqual([]);
  expect(badgesOf(undefined)).toEqual([]);
});
