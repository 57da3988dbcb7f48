import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import type { Locator, Page } from '@playwright/test';
import { findViolations } from '../fixtures/accessibility.ts';
import { openSites, entry, listed, selectButton, sitesInARow, twoThousandSites } from './many-sites.ts';
import { expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

function searchField(page: Page): Locator {
  return page.getByRole('searchbox', { name: wordsPattern('selectSite.search.label') });
}

/** The live region of the search; the entries of the list have separate ones. */
function announced(page: Page): Locator {
  return page.locator('main [aria-live="polite"]:not([data-site] *)');
}

test('search: the search field appears with more than twelve sites, children included, and does not take the focus', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, sitesInARow(12));
  await expect(entry(page, 's12')).toBeVisible();
  await expect(searchField(page)).toHaveCount(0);
  await openSites(visit, scripted, [{ ...siteNamed('family', 'Family'), sites: sitesInARow(13) }]);
  await expect(searchField(page)).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toBeFocused();
});

test('search: a keyboard user finds and enters one of 2,000 sites', async ({ page, visit, scripted }) => {
  await openSites(visit, scripted, twoThousandSites(), { directorToDoItemsEnabled: true });
  await expect(searchField(page)).toBeVisible();
  while (!(await searchField(page).evaluate((field) => field === document.activeElement)))
    await page.keyboard.press('Tab');
  await page.keyboard.type('077 board 13');
  await expect.poll(async () => listed(page)).toEqual(['077-13']);
  await expect(announced(page)).toHaveText(wordsPattern('selectSite.search.count.one', { count: 1 }));
  await expect(searchField(page)).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await expect(selectButton(page, '077-13')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const { input } = await visit.called('selectSite');
  expect(input.body.site).toBe('077-13');
});

test('search: case and accents are ignored in every script; the name of a group shows its children', async ({
  page,
  visit,
  scripted,
}) => {
  const names = {
    paris: 'Société Générale d’Été',
    berlin: 'Große Straße AG',
    istanbul: 'İstanbul Işık',
    cairo: 'مَجْلِس الإدارة',
    haifa: 'דִּירֶקְטוֹרְיוֹן חיפה',
    tokyo: '株式会社グループ',
    beijing: '北京董事会',
  };
  await openSites(visit, scripted, [
    ...Object.entries(names).map(([name, displayName]) => siteNamed(name, displayName)),
    { ...siteNamed('family', 'Château Noir'), sites: [siteNamed('one', 'Audit'), siteNamed('two', 'Board')] },
    ...sitesInARow(12),
  ]);
  for (const [query, found] of [
    ['SOCIETE ete', ['paris']],
    ['strasse', ['berlin']],
    ['ISIK', ['istanbul']],
    ['مجلس الادارة', ['cairo']],
    ['דירקטוריון', ['haifa']],
    ['ｸﾞﾙｰﾌﾟ', ['tokyo']],
    ['董事', ['beijing']],
    ['chateau', ['one', 'two']],
    ['noir audit', ['one']],
  ] as const) {
    await searchField(page).fill(query);
    await expect.poll(async () => listed(page), query).toEqual(found);
  }
});

test('search: a message without results has a button that clears the search; Escape clears too', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, sitesInARow(14));
  await searchField(page).fill('nowhere <b>');
  const none = wordsPattern('selectSite.search.none', { query: 'nowhere <b>' });
  await expect(page.getByText(none).first()).toBeVisible();
  await expect(announced(page)).toHaveText(none);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: wordsPattern('selectSite.search.showAll') }).click();
  await expect(entry(page, 's14')).toBeVisible();
  await expect(searchField(page)).toBeFocused();
  await expect(searchField(page)).toHaveValue('');

  await searchField(page).fill('07');
  await expect.poll(async () => listed(page)).toEqual(['s07']);
  await page.keyboard.press('Escape');
  await expect.poll(async () => listed(page)).toHaveLength(14);
  await expect(searchField(page)).toBeFocused();
  await expect(announced(page)).toHaveText(wordsPattern('selectSite.search.count', { count: 14 }));

  await searchField(page).fill('07');
  await page.getByRole('button', { name: wordsPattern('selectSite.search.clear') }).click();
  await expect.poll(async () => listed(page)).toHaveLength(14);
  await expect(searchField(page)).toBeFocused();
});

test('search: the to-dos of the results load first', async ({ page, visit, scripted }) => {
  const release = scripted.script.hold('getSiteTodo');
  await openSites(visit, scripted, twoThousandSites(), { directorToDoItemsEnabled: true });
  await visit.called('getSiteTodo', 4);
  await searchField(page).fill('family 099');
  await expect.poll(async () => listed(page)).toHaveLength(20);
  const before = scripted.received('getSiteTodo').length;
  release();
  await expect(entry(page, '099-12').locator('[data-todo="minutes"]')).toBeVisible();
  const requestedSites = scripted.received('getSiteTodo').map(({ input }) => input.params.site);
  expect(requestedSites.slice(before, before + 8).every((site) => site.startsWith('099-'))).toBe(true);
});

test('keys: arrows, Home, End and typing a name move through the list, including disabled sites', async ({
  page,
  visit,
  scripted,
}) => {
  const sites = twoThousandSites();
  const [first] = sites;
  if (first?.sites?.[1]) first.sites[1] = { ...first.sites[1], mfaRequirementMet: false };
  await openSites(visit, scripted, [...sites, siteNamed('zenith', 'Zenith')]);
  await selectButton(page, '001-01').focus();
  await page.keyboard.press('ArrowDown');
  await expect(selectButton(page, '001-02')).toBeFocused();
  await expect(selectButton(page, '001-02')).toHaveAttribute('aria-disabled', 'true');
  await expect(selectButton(page, '001-02')).toHaveAccessibleDescription(/\S/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await expect(selectButton(page, 'zenith')).toBeFocused();
  await expect(selectButton(page, 'zenith')).toBeInViewport();
  await page.keyboard.press('ArrowDown');
  await expect(selectButton(page, 'zenith')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(selectButton(page, '100-20')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(selectButton(page, '001-01')).toBeFocused();
  await expect(selectButton(page, '001-01')).toBeInViewport();
  await page.keyboard.type('board042-07');
  await expect(selectButton(page, '042-07')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(selectButton(page, '042-08')).toBeFocused();
  expect(scripted.received('selectSite')).toHaveLength(0);
});

test('keys: in the search field they keep their usual function', async ({ page, visit, scripted }) => {
  await openSites(visit, scripted, sitesInARow(14));
  await searchField(page).fill('board 1');
  for (const key of ['Home', 'End', 'ArrowLeft', 'ArrowUp', 'b', 'Enter']) {
    await page.keyboard.press(key);
    await expect(searchField(page)).toBeFocused();
  }
  await expect(searchField(page)).toHaveValue('bboard 1');
  expect(scripted.received('selectSite')).toHaveLength(0);
});

test('a long list: all entries are in the document for find-in-page and screen readers, and few are rendered', async ({
  page,
  visit,
  scripted,
}) => {
  await openSites(visit, scripted, twoThousandSites());
  await expect.poll(async () => (await listed(page)).length).toBe(2000);
  expect((await listed(page)).slice(0, 2)).toEqual(['001-01', '001-02']);
  const isFound = await page.evaluate(() => {
    const { find } = globalThis as typeof globalThis & { find: (text: string) => boolean };
    return find('Board 088-11');
  });
  expect(isFound).toBe(true);
  const laidOut = await page
    .locator('[data-site]')
    .evaluateAll(
      (entries) => entries.filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length,
    );
  expect(laidOut).toBeLessThan(200);
});
