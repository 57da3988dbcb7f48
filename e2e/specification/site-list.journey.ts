import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import { findViolations } from '../fixtures/accessibility.ts';
import { openSites, entry, listed, selectButton, sitesInARow, twoThousandSites } from './many-sites.ts';
import { expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

test('site list: a welcome with first and last name, and “sign out” or, after switch_site, “back to boards”', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, sitesInARow(2));
  await expect(page.locator('main')).toContainText(
    wordsPattern('selectSite.welcome', { name: 'Dana Rivers' }),
  );
  await expect(page.getByRole('heading', { name: wordsPattern('selectSite.prompt') })).toBeFocused();
  await expect(visit.action('sign-out')).toHaveCount(1);
  await expect(visit.action('back-to-boards')).toHaveCount(0);
  visit.choosing({ promptMethod: 'switch_site' });
  await visit.open();
  await visit.step('select-site');
  await expect(visit.action('sign-out')).toHaveCount(0);
  await visit.action('back-to-boards').click();
  await page.waitForURL(/\/cancelled/);
});

test('site list: sites and groups are sorted by display name in the order of the language, children by sequence', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, [
    siteNamed('z', 'Zürich'),
    {
      ...siteNamed('g', 'Ölwerk'),
      sites: [
        { ...siteNamed('g2', 'A'), sequence: 2 },
        { ...siteNamed('g1', 'B'), sequence: 1 },
        { ...siteNamed('g', 'Ölwerk'), sequence: 9 },
      ],
    },
    siteNamed('b10', 'Board 10'),
    siteNamed('b9', 'Board 9'),
    siteNamed('p', 'Park'),
  ]);
  await expect.poll(async () => listed(page)).toEqual(['b9', 'b10', 'g', 'g1', 'g2', 'p', 'z']);
  await expect(page.locator('[data-group="g"]').getByRole('heading', { level: 3 })).toHaveText('Ölwerk');
});

test('site list: a logo loads within 150 px of the viewport, and the default logo replaces a broken or missing logo', async ({
  page,
  visit,
  scripted,
}) => {
  const asked: string[] = [];
  await page.route(/\/logos\//, async (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push(pathname.replace('/logos/', ''));
    if (pathname.endsWith('s02')) return route.fulfill({ contentType: 'image/png', body: 'no picture' });
    return route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>',
    });
  });
  const sites = sitesInARow(60).map((site) =>
    site.name === 's03' ? site : { ...site, logoPath: `/logos/${site.name}` },
  );
  await openSites(visit, scripted, sites);
  await expect(entry(page, 's01').locator('img[src$="/logos/s01"]')).toBeVisible();
  for (const name of ['s02', 's03'])
    await expect(entry(page, name).locator('img[src*="/icons/site.svg"]')).toBeVisible();
  const far = await page
    .locator('main [data-site]')
    .evaluateAll((entries) =>
      entries
        .filter((one) => one.getBoundingClientRect().top > innerHeight + 150)
        .map((one) => one.getAttribute('data-site') ?? ''),
    );
  expect(far.length).toBeGreaterThan(30);
  expect(asked.filter((name) => far.includes(name))).toEqual([]);
  await entry(page, 's60').scrollIntoViewIfNeeded();
  await expect(entry(page, 's60').locator('img[src$="/logos/s60"]')).toBeVisible();
});

test('site list: an entitlement is a label unless it is “none”, and a blocked site shows the reason and is disabled', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, [
    { ...siteNamed('a', 'A'), clientEntitlement: 'Observer' },
    { ...siteNamed('b', 'B'), clientEntitlement: 'None' },
    { ...siteNamed('c', 'C'), areEntitlementRequirementsMet: false },
    { ...siteNamed('d', 'D'), mfaRequirementMet: false },
    { ...siteNamed('e', 'E'), disabledForEntitlements: true, disabledForMfaRequirements: true },
    { ...siteNamed('f', 'F'), mfaRequirementMet: false, disabledForMfaRequirements: false },
  ]);
  await expect(entry(page, 'a').locator('[data-entitlement]')).toHaveText('Observer');
  await expect(entry(page, 'b').locator('[data-entitlement]')).toHaveCount(0);
  const lacksEntitlement = wordsPattern('selectSite.errors.entitlements');
  const lacksCode = wordsPattern('selectSite.errors.mfa');
  for (const [name, reasons] of [
    ['c', [lacksEntitlement]],
    ['d', [lacksCode]],
    ['e', [lacksEntitlement, lacksCode]],
  ] as const) {
    for (const reason of reasons) await expect(selectButton(page, name)).toHaveAccessibleDescription(reason);
    await expect(entry(page, name).locator('[data-action="global-support"]')).toHaveCount(
      reasons.some((reason) => reason === lacksCode) ? 1 : 0,
    );
    await selectButton(page, name).click({ force: true });
    await selectButton(page, name).press('Enter');
    await selectButton(page, name).press('Space');
  }
  expect(await findViolations(page)).toEqual([]);
  expect(scripted.received('selectSite')).toHaveLength(0);
  await selectButton(page, 'f').click();
  await visit.called('selectSite');
});

test('site list: Enter and Space choose once, and no other site can be chosen during the call', async ({
  page,
  visit,
  scripted,
}) => {
  for (const key of ['Enter', 'Space']) {
    await openSites(visit, scripted, sitesInARow(3));
    const release = scripted.script.hold('selectSite');
    const before = scripted.received('selectSite').length;
    await selectButton(page, 's02').press(key);
    await visit.called('selectSite', before + 1);
    expect(await visit.isLoading()).toBe(true);
    await expect(page.locator('[data-site][data-opening]')).toHaveAttribute('data-site', 's02');
    await expect(entry(page, 's03')).toHaveCSS('background-color', 'rgb(244, 241, 234)');
    await selectButton(page, 's02').press(key);
    await selectButton(page, 's03').click();
    release();
    await page.waitForURL(/\/arrived/);
    const chosen = scripted.received('selectSite').slice(before);
    expect(chosen.map(({ input }) => input.body.site)).toEqual(['s02']);
  }
});

test('site list: the entry with autofocus has the focus, even far down the list', async ({
  page,
  visit,
  scripted,
}) => {
  const sites = twoThousandSites();
  const [last] = sites.slice(-1);
  if (last?.sites?.[19]) last.sites[19] = { ...last.sites[19], autofocus: true };
  await openSites(visit, scripted, sites);
  await expect(selectButton(page, '100-20')).toBeFocused();
  await expect(selectButton(page, '100-20')).toBeInViewport();
});

test('site list: a failed choice is reported and the list is usable again', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, sitesInARow(3));
  scripted.script.fail('selectSite', 'session_migration_failure');
  await selectButton(page, 's01').click();
  await expect(visit.notice('error')).toHaveText(wordsPattern('error.unexpectedErrorOccurred'));
  expect(await visit.isLoading()).toBe(false);
  scripted.script.fail('selectSite', 'site_requires_mfa');
  await selectButton(page, 's02').click();
  await expect(visit.alert).toHaveText(wordsPattern('mfa.errors.notConfigured'));
  await expect(visit.notice()).toHaveCount(0);
  scripted.script.cut('selectSite');
  await selectButton(page, 's03').click();
  await expect(visit.notice('error')).toHaveText(wordsPattern('error.serverUnreachable'));
  expect(await visit.isLoading()).toBe(false);
});

test('site list: an empty list is a server error', async ({ visit, scripted }) => {
  visit.choosing();
  scripted.script.answer('getSites', {
    sites: [],
    userFirstName: 'Dana',
    userLastName: 'Rivers',
    boardsUserName: 'drivers',
    directorToDoItemsEnabled: false,
  });
  await visit.open();
  await visit.step('error');
});

test('site list: no layout shift when the list and the to-dos load, at any width; visible entries keep the line of their to-dos', async ({
  page,
  visit,
  scripted,
}) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Reflect.set(globalThis, 'shifts', shifts);
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) shifts.push(Number(Reflect.get(shift, 'value')));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const nothing = {
    pendingVoteCount: 0,
    openQuestionnairesCount: 0,
    directorHomePageEnabled: true,
    minutesCount: 0,
    actionItemsCount: 0,
  };
  for (const width of [320, 440, 441, 768, 820, 1280]) {
    // fewer kinds on the narrowest screen, where four kinds need more lines than the list reserves
    const most = { pendingVoteCount: 123, openQuestionnairesCount: 25 };
    const more = width < 440 ? most : { ...most, minutesCount: 25, actionItemsCount: 25 };
    scripted.script.reply('getSiteTodo', ({ params }) => {
      // the first site, at the top of the list
      if (params.site === 's01') return { error: { code: 'internal_error' } };
      if (params.site === 's02') return { answer: { ...nothing, ...more } };
      return { answer: { ...nothing, directorHomePageEnabled: params.site !== 's03' } };
    });
    await page.setViewportSize({ width, height: 600 });
    visit.choosing();
    scripted.script.answer('getSites', {
      sites: sitesInARow(12),
      userFirstName: 'Dana',
      userLastName: 'Rivers',
      boardsUserName: 'drivers',
      directorToDoItemsEnabled: true,
    });
    const releaseList = scripted.script.hold('getSites');
    const releaseToDos = scripted.script.hold('getSiteTodo');
    await visit.open();
    await visit.step('select-site');
    releaseList();
    await expect(entry(page, 's01')).toBeVisible();
    releaseToDos();
    await expect(page.locator('[data-skeleton]')).toHaveCount(0);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'shifts') as unknown), String(width)).toEqual(
      [],
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  // the last site is far below the viewport
  await expect(entry(page, 's01')).not.toContainText(wordsPattern('selectSite.nothingAwaits'));
  await expect(entry(page, 's04')).toContainText(wordsPattern('selectSite.nothingAwaits'));
  await expect(entry(page, 's12')).not.toContainText(wordsPattern('selectSite.nothingAwaits'));
});

test('to-dos: visible sites load first, the rest when the browser is idle, each once even after fast scrolling', async ({
  page,
  visit,
  scripted,
}) => {
  const sites = sitesInARow(60).toReversed();
  const release = scripted.script.hold('getSiteTodo');
  await openSites(visit, scripted, sites, { directorToDoItemsEnabled: true });
  await visit.called('getSiteTodo', 4);
  const inView = await page
    .locator('main [data-site]')
    .evaluateAll((entries) =>
      entries
        .filter((one) => one.getBoundingClientRect().top < innerHeight)
        .map((one) => one.getAttribute('data-site') ?? ''),
    );
  const asked = (): string[] => scripted.received('getSiteTodo').map(({ input }) => input.params.site);
  expect(inView).toEqual(expect.arrayContaining(asked().slice(0, 4)));
  for (const share of [0.3, 0.9, 0.1, 1, 0.5])
    await page.evaluate((part) => scrollTo(0, document.documentElement.scrollHeight * part), share);
  expect(asked().length).toBeLessThanOrEqual(6);
  release();
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
  expect(asked().toSorted()).toEqual(sites.map(({ name }) => name).toSorted());
});

test('to-dos: slow calls do not delay the choice of a site, and continue if the choice fails', async ({
  page,
  visit,
  scripted,
}) => {
  const release = scripted.script.hold('getSiteTodo');
  scripted.script.fail('selectSite', 'session_migration_failure');
  const abandoned: string[] = [];
  page.on('requestfailed', (request) => abandoned.push(request.url()));
  await openSites(visit, scripted, sitesInARow(3), { directorToDoItemsEnabled: true });
  await visit.called('getSiteTodo', 3);
  await selectButton(page, 's02').click();
  await expect(visit.notice('error')).toBeVisible();
  expect(abandoned.filter((url) => url.endsWith('/todo'))).toHaveLength(3);
  release();
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
  await expect(page.locator('[data-todo="minutes"]:visible')).toHaveCount(3);
});

test('to-dos: leaving the page cancels the calls in flight and starts no more', async ({
  page,
  visit,
  scripted,
}) => {
  scripted.script.hold('getSiteTodo');
  const abandoned: string[] = [];
  page.on('requestfailed', (request) => abandoned.push(request.url()));
  scripted.script.answer('selectSite', { status: 'password_required' });
  await openSites(visit, scripted, sitesInARow(30), { directorToDoItemsEnabled: true });
  await visit.called('getSiteTodo', 4);
  await selectButton(page, 's01').click();
  await visit.step('password-required');
  await expect
    .poll(() => abandoned.filter((url) => url.endsWith('/todo')).length)
    .toBe(scripted.received('getSiteTodo').length);
});

test('recent sites: the order is a stored choice, off by default, and each site also stays in its regular place', async ({
  page,
  visit,
  scripted,
}) => {
  const family = { ...siteNamed('family', 'Family'), sites: sitesInARow(14) };
  const recent = page.locator('[data-recent] [data-site]');
  const choice = page.getByRole('switch', { name: wordsPattern('selectSite.recent.first') });

  await openSites(visit, scripted, [family]);
  await expect(entry(page, 's01')).toBeVisible();
  await expect(choice).toHaveCount(0);

  await openSites(visit, scripted, [family], { recentSitesFirst: false });
  await expect(choice).not.toBeChecked();
  await expect(recent).toHaveCount(0);
  scripted.script.answer('getSites', {
    sites: [family],
    userFirstName: 'Dana',
    userLastName: 'Rivers',
    boardsUserName: 'drivers',
    directorToDoItemsEnabled: false,
    recentSitesFirst: true,
    recentSites: ['s09', 'gone', 's03'],
  });
  await choice.press('Space');
  await expect(choice).toBeChecked();
  const { input } = await visit.called('setPreferences');
  expect(input.body).toEqual({ recentSitesFirst: true });
  await expect(recent).toHaveCount(2);
  expect((await listed(page)).slice(0, 3)).toEqual(['s09', 's03', 's01']);
  expect(await listed(page)).toHaveLength(16);
  await expect(recent.first().getByRole('button').first()).toHaveAccessibleDescription('Family');
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole('searchbox').fill('board 09');
  await expect.poll(async () => listed(page)).toEqual(['s09']);
  await page.keyboard.press('Escape');
  await choice.click();
  await expect(recent).toHaveCount(0);
  expect((await visit.called('setPreferences', 2)).input.body).toEqual({ recentSitesFirst: false });
});

test('recent sites: a choice that cannot be stored is reported and reverted', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, sitesInARow(14), { recentSitesFirst: false });
  const choice = page.getByRole('switch', { name: wordsPattern('selectSite.recent.first') });
  scripted.script.fail('setPreferences', 'internal_error');
  await choice.click();
  await expect(visit.notice('error')).toHaveText(wordsPattern('selectSite.recent.notSaved'));
  await expect(choice).not.toBeChecked();
  await visit.step('select-site');
});
