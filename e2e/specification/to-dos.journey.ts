import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import { badge, openSites, entry, nothing } from './open-sites.ts';
import { expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

test('to-dos: a heading “awaiting review” and a badge for each count above 0', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, {
    a: { pendingVoteCount: 1, openQuestionnairesCount: 2, minutesCount: 3, actionItemsCount: 4 },
    b: { minutesCount: 1 },
    c: {},
  });
  for (const [type, count] of [
    ['vote', 1],
    ['questionnaire', 2],
    ['minutes', 3],
    ['actionItem', 4],
  ] as const)
    await expect(badge(page, 'a', type)).toContainText(String(count));
  await expect(entry(page, 'a')).toContainText(wordsPattern('selectSite.awaitingReview'));
  await expect(badge(page, 'b')).toHaveCount(1);
  await expect(badge(page, 'b', 'minutes')).toHaveCount(1);
  await expect(entry(page, 'c').locator('[data-skeleton]')).toHaveCount(0);
  await expect(badge(page, 'c')).toHaveCount(0);
  await expect(entry(page, 'c')).not.toContainText(wordsPattern('selectSite.awaitingReview'));
});

test('to-dos: questionnaires, minutes and action items are capped at “20+”, votes are not; questionnaires explain it in a tooltip', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, {
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

test('to-dos: only the director application shows them, and only if the service enables them', async ({
  page,
  visit,
  scripted,
}) => {
  for (const [name, clientId, enabled, directorClientIds, isShown] of [
    ['the director', 'director', true, undefined, true],
    ['the director, not enabled', 'director', false, undefined, false],
    ['another application', 'secretary', true, undefined, false],
    ['no application', null, true, undefined, false],
    ['an application that the configuration names', 'boards-x', true, ['boards-x'], true],
    ['the director, when the configuration names others', 'director', true, ['boards-x'], false],
  ] as const) {
    await test.step(name, async () => {
      scripted.reset();
      visit.choosing({ clientId });
      scripted.script.answer(
        'getConfig',
        directorClientIds ? { directorClientIds: [...directorClientIds] } : {},
      );
      scripted.script.answer('getSites', {
        sites: [siteNamed('a', 'Board a')],
        userFirstName: 'Dana',
        userLastName: 'Rivers',
        boardsUserName: 'drivers',
        directorToDoItemsEnabled: enabled,
      });
      scripted.script.answer('getSiteTodo', { ...nothing, minutesCount: 1 });
      await visit.open();
      await visit.step('select-site');
      await expect(entry(page, 'a')).toBeVisible();
      if (isShown) await expect(badge(page, 'a')).toHaveCount(1);
      await expect(entry(page, 'a').locator('[data-skeleton]')).toHaveCount(0);
      await expect(badge(page, 'a')).toHaveCount(isShown ? 1 : 0);
      expect(scripted.received('getSiteTodo')).toHaveLength(isShown ? 1 : 0);
    });
  }
});

test('to-dos: a skeleton shows while the counts load, and the select button has its name from the beginning', async ({
  page,
  visit,
  scripted,
}) => {
  scripted.script.answer('getSiteTodo', { ...nothing, minutesCount: 1 });
  visit.choosing();
  const release = scripted.script.hold('getSiteTodo');
  await visit.open();
  await visit.step('select-site');
  await expect(entry(page, 'harbor').locator('[data-skeleton]:visible')).toHaveCount(1);
  await expect(badge(page, 'harbor')).toHaveCount(0);
  release();
  await expect(badge(page, 'harbor', 'minutes')).toHaveCount(1);
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
});

test('to-dos: a click on a badge reports type, display name and count in a bubbling event and a metric, and selects no site', async ({
  page,
  visit,
  scripted,
}) => {
  await page.addInitScript(() => {
    const told: unknown[] = [];
    Reflect.set(globalThis, 'told', told);
    document.addEventListener('todo-click', (event) => {
      if (event instanceof CustomEvent) told.push(event.detail);
    });
  });
  await openSites(visit, scripted, {
    a: { pendingVoteCount: 23, openQuestionnairesCount: 25, minutesCount: 3, actionItemsCount: 4 },
  });
  for (const type of ['vote', 'questionnaire', 'minutes', 'actionItem']) await badge(page, 'a', type).click();
  await badge(page, 'a', 'minutes').focus();
  await page.keyboard.press('Enter');
  const told = [
    { type: 'vote', site: 'Board a', count: 23 },
    { type: 'questionnaire', site: 'Board a', count: 25 },
    { type: 'minutes', site: 'Board a', count: 3 },
    { type: 'actionItem', site: 'Board a', count: 4 },
    { type: 'minutes', site: 'Board a', count: 3 },
  ];
  expect(await page.evaluate(() => Reflect.get(globalThis, 'told') as unknown)).toEqual(told);
  await expect
    .poll(() => JSON.stringify(scripted.received('postMetrics').map(({ input }) => input.body.metricData)))
    .toMatch(/actionItem/);
  expect(scripted.received('selectSite')).toHaveLength(0);
  await visit.step('select-site');
});

test('to-dos: calls are sent only for sites whose MFA requirement is met', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(
    visit,
    scripted,
    {},
    {
      sites: [
        { ...siteNamed('a', 'A'), mfaRequirementMet: false },
        { ...siteNamed('b', 'B'), areEntitlementRequirementsMet: false },
        {
          ...siteNamed('c', 'C'),
          sites: [{ ...siteNamed('c1', 'C1'), mfaRequirementMet: false }, { ...siteNamed('c2', 'C2') }],
        },
      ],
    },
  );
  await expect
    .poll(() =>
      scripted
        .received('getSiteTodo')
        .map(({ input }) => input.params.site)
        .toSorted(),
    )
    .toEqual(['b', 'c2']);
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
  expect(scripted.received('getSiteTodo')).toHaveLength(2);
});

test('to-dos: a failure is shown at its site only', async ({ page, visit, scripted }) => {
  for (const fail of [
    'unauthorized',
    'forbidden',
    'not_found',
    'internal_error',
    'cut',
    'garbled',
  ] as const) {
    await test.step(fail, async () => {
      scripted.reset();
      visit.choosing();
      const { script } = scripted;
      if (fail === 'cut') script.cut('getSiteTodo');
      else if (fail === 'garbled') script.garble('getSiteTodo', '{"pendingVoteCount":"many"}');
      else script.fail('getSiteTodo', fail, { times: 1 });
      await visit.open();
      await visit.step('select-site');
      await visit.called('getSiteTodo', 3);
      await expect(page.locator('[data-skeleton]')).toHaveCount(0);
      if (fail !== 'cut' && fail !== 'garbled')
        await expect(page.locator('[data-todo="minutes"]:visible')).toHaveCount(2);
      await expect(visit.notice()).toHaveCount(0);
      await visit.step('select-site');
      await page.locator('[data-site="harbor"] button').first().click();
      await visit.called('selectSite');
      // waits for this navigation, so that it does not race with the next one
      await page.waitForURL(/\/arrived/);
    });
  }
});

test('to-dos: directorHomePageEnabled false hides the widget of that site', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, {
    a: { minutesCount: 1, directorHomePageEnabled: false },
    b: { minutesCount: 1 },
  });
  await expect(badge(page, 'b')).toHaveCount(1);
  await expect(entry(page, 'a').locator('[data-skeleton]')).toHaveCount(0);
  await expect(badge(page, 'a')).toHaveCount(0);
  await expect(entry(page, 'a')).not.toContainText(wordsPattern('selectSite.awaitingReview'));
});

test('to-dos: at most six calls are in flight, and each site has one call', async ({
  page,
  visit,
  scripted,
}) => {
  await page.setViewportSize({ width: 1280, height: 2400 });
  const names = Array.from({ length: 14 }, (_, index) => `s${String(index).padStart(2, '0')}`);
  visit.choosing();
  scripted.script.answer('getSites', {
    sites: names.map((name) => siteNamed(name, `Board ${name}`)),
    userFirstName: 'Dana',
    userLastName: 'Rivers',
    boardsUserName: 'drivers',
    directorToDoItemsEnabled: true,
  });
  let underWay = 0;
  let most = 0;
  page.on('request', (request) => {
    if (!request.url().endsWith('/todo')) return;
    underWay += 1;
    most = Math.max(most, underWay);
  });
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/todo')) underWay -= 1;
  });
  const release = scripted.script.hold('getSiteTodo');
  await visit.open();
  await visit.step('select-site');
  await visit.called('getSiteTodo', 6);
  await visit.action('language').click();
  await page.keyboard.press('Escape');
  expect(scripted.received('getSiteTodo')).toHaveLength(6);
  release();
  for (const name of names) {
    await entry(page, name).scrollIntoViewIfNeeded();
    await expect(entry(page, name).locator('[data-skeleton]')).toHaveCount(0);
  }
  expect(
    scripted
      .received('getSiteTodo')
      .map(({ input }) => input.params.site)
      .toSorted(),
  ).toEqual(names);
  expect(most).toBeLessThanOrEqual(6);
});

test('to-dos: up to 440 px the entry is stacked vertically, and no content is wider than the screen', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, {
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
