import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import type { Page } from '@playwright/test';
import { findViolations } from '../fixtures/accessibility.ts';
import { openSites, entry, listed, selectButton, sitesInARow, twoThousandSites } from './many-sites.ts';
import { expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

test('site list: a logo loads within 150 px of the viewport, and the default logo replaces a broken or missing logo [2.60, 9.7]', async ({
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

test('site list: Enter and Space choose once, and no other site can be chosen during the call [2.60]', async ({
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

test('site list: the entry with autofocus has the focus, even far down the list [3.7]', async ({
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

test('site list: no layout shift when the list and the to-dos load, at any width; entries that were visible before keep the line of their to-dos [2.65]', async ({
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
    const much = {
      pendingVoteCount: 123,
      openQuestionnairesCount: 25,
      minutesCount: 25,
      actionItemsCount: 25,
    };
    scripted.script.reply('getSiteTodo', ({ params }) => {
      // the first site, at the top of the list
      if (params.site === 's01') return { error: { code: 'internal_error' } };
      if (params.site === 's02') return { answer: { ...nothing, ...much } };
      return { answer: { ...nothing, directorHomePageEnabled: params.site !== 's03' } };
    });
    await page.setViewportSize({ width, height: 600 });
    visit.choosing();
    scripted.script.answer('getSites', {
      sites: sitesInARow(12).map((site) => ({
        ...site,
        clientEntitlement: site.name === 's03' ? 'none' : 'Director',
      })),
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
    await expect(page.locator('[data-site]').first()).toBeVisible();
    await expect(page.locator('[data-awaited]')).toHaveCount(0);
    // the browser reports a shift late, so the heights are compared too
    const reserved = await heightsOf(page, ['s01', 's02', 's03', 's04']);
    releaseToDos();
    await expect(page.locator('[data-skeleton]')).toHaveCount(0);
    expect(await heightsOf(page, ['s01', 's02', 's03', 's04']), String(width)).toEqual(reserved);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'shifts') as unknown), String(width)).toEqual(
      [],
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  // the last site is far below the viewport
  expect(await heightsOf(page, ['s01', 's02', 's03', 's04', 's12'])).toEqual([100, 100, 80, 100, 64]);
});

async function heightsOf(page: Page, names: readonly string[]): Promise<number[]> {
  return Promise.all(
    names.map(async (name) =>
      entry(page, name).evaluate((one) => Math.round(one.getBoundingClientRect().height)),
    ),
  );
}

test('to-dos: visible sites load first, the rest when the browser is idle, each once even after fast scrolling [4.26]', async ({
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

test('pinned sites: a keyboard user and a double click change pins, and nothing moves until the list is shown again', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, sitesInARow(14), { pinnedSites: ['s05'] });
  const pinned = page.locator('[data-pinned] [data-site]');
  const pin = (name: string) => entry(page, name).last().locator('[data-action="pin-site"]');
  await expect(pinned).toHaveCount(1);
  await expect(pin('s05')).toHaveAttribute('aria-pressed', 'true');
  expect(await findViolations(page)).toEqual([]);

  await selectButton(page, 's09').focus();
  const before = await pin('s09').boundingBox();
  await page.keyboard.press('Tab');
  await expect(pin('s09')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(pin('s09')).toHaveAttribute('aria-pressed', 'true');
  expect((await visit.called('pinSite')).input.body).toEqual({ site: 's09', isPinned: true });
  await pin('s07').dblclick();
  expect((await visit.called('pinSite', 3)).input.body).toEqual({ site: 's07', isPinned: false });
  // beside the icon, at the end of the row
  const row = await entry(page, 's08').boundingBox();
  await page.mouse.click((row?.x ?? 0) + (row?.width ?? 0) - 3, (row?.y ?? 0) + 32);
  await expect(pin('s08')).toHaveAttribute('aria-pressed', 'true');
  expect(await pin('s09').boundingBox()).toEqual(before);
  await expect(pinned).toHaveCount(1);
  expect(scripted.received('selectSite')).toHaveLength(0);

  await page.getByRole('searchbox').fill('board 09');
  await expect(pinned).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(pinned).toHaveCount(3);
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
