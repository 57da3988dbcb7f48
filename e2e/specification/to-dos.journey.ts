import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import type { CallAnswer } from '@anteroom/contract';
import type { Locator, Page } from '@playwright/test';
import { entry, openSites } from './many-sites.ts';
import { expect, test } from './visit.ts';
import type { Visit } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

type Todo = Omit<CallAnswer<'getSiteTodo'>, 'books' | 'directorHomePageEnabled'>;

async function openSitesWith(
  visit: Visit,
  scripted: ScriptedIdentity,
  todos: Record<string, Todo>,
): Promise<void> {
  scripted.script.answer('getSiteTodo', ({ params }) => {
    const todo = todos[params.site];
    if (!todo) throw new Error(`no to-dos for ${params.site}`);
    return { ...todo, directorHomePageEnabled: true };
  });
  const sites = Object.keys(todos).map((name) => siteNamed(name, `Board ${name}`));
  await openSites(visit, scripted, sites, { directorToDoItemsEnabled: true });
}

function badge(page: Page, name: string, type?: string): Locator {
  return entry(page, name).locator(type ? `[data-todo="${type}"]:visible` : '[data-todo]:visible');
}

test('to-dos: questionnaires, minutes and action items are capped at “20+”, votes are not; questionnaires explain it in a tooltip [9.5, WCAG 1.4.13]', async ({
  page,
  visit,
  scripted,
}) => {
  await openSitesWith(visit, scripted, {
    a: { pendingVoteCount: 21, openQuestionnairesCount: 21, minutesCount: 99, actionItemsCount: 21 },
    b: { pendingVoteCount: 20, openQuestionnairesCount: 20, minutesCount: 20, actionItemsCount: 20 },
  });
  await expect(badge(page, 'a', 'vote')).toContainText('21');
  for (const type of ['questionnaire', 'minutes', 'actionItem'])
    await expect(badge(page, 'a', type)).toContainText('20+');
  for (const type of ['vote', 'questionnaire', 'minutes', 'actionItem']) {
    await expect(badge(page, 'b', type)).toContainText('20');
    await expect(badge(page, 'b', type)).not.toContainText('+');
  }
  await badge(page, 'a', 'questionnaire').hover();
  await expect(
    page
      .getByRole('tooltip')
      .filter({ hasText: wordsPattern('selectSite.questionnairesCapped', { cap: 20 }) }),
  ).toBeVisible();
});

test('to-dos: up to 440 px the entry is stacked vertically, and no content is wider than the screen [2.67]', async ({
  page,
  visit,
  scripted,
}) => {
  await openSitesWith(visit, scripted, {
    a: { pendingVoteCount: 2, openQuestionnairesCount: 30, minutesCount: 3, actionItemsCount: 4 },
  });
  await expect(badge(page, 'a')).toHaveCount(4);
  for (const width of [440, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const button = await entry(page, 'a').getByRole('button').first().boundingBox();
    const first = await badge(page, 'a').first().boundingBox();
    expect(first?.y).toBeGreaterThanOrEqual((button?.y ?? 0) + (button?.height ?? 0) - 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});
