import type { CallAnswer } from '@anteroom/contract';
import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import type { Locator, Page } from '@playwright/test';
import type { Visit } from './visit.ts';

export type Sites = CallAnswer<'getSites'>;
export type Site = Sites['sites'][number];
export type Todo = CallAnswer<'getSiteTodo'>;

/** The answer for a user without to-dos. */
export const nothing: Todo = {
  pendingVoteCount: 0,
  openQuestionnairesCount: 0,
  directorHomePageEnabled: true,
  minutesCount: 0,
  actionItemsCount: 0,
};

/** Opens the site list with these sites and the to-dos at each of them. */
export async function openSites(
  visit: Visit,
  { script }: ScriptedIdentity,
  todos: Record<string, Partial<Todo>>,
  { sites, ...more }: Partial<Sites> = {},
): Promise<void> {
  visit.choosing();
  script.answer('getSites', {
    sites: sites ?? Object.keys(todos).map((name) => siteNamed(name, `Board ${name}`)),
    userFirstName: 'Dana',
    userLastName: 'Rivers',
    boardsUserName: 'drivers',
    directorToDoItemsEnabled: true,
    ...more,
  });
  script.answer('getSiteTodo', ({ params }) => ({ ...nothing, ...todos[params.site] }));
  await visit.open();
  await visit.step('select-site');
}

export function entry(page: Page, name: string): Locator {
  return page.locator(`[data-site="${name}"]`);
}

export function badge(page: Page, name: string, type?: string): Locator {
  return entry(page, name).locator(type ? `[data-todo="${type}"]:visible` : '[data-todo]:visible');
}
