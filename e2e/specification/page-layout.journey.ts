import { supportedLocales } from '@anteroom/contract';
import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import { expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

test('splash: logo and an indeterminate progress bar for 1000 ms, then it is removed from the document', async ({
  page,
  visit,
}) => {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.open('/account/login', { hasSplash: true });
  await visit.called('getSiteSettings');
  const splash = page.locator('[data-splash]');
  await page.clock.runFor(900);
  await expect(splash.getByRole('progressbar')).toHaveCount(1);
  await expect(splash.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow');
  await expect(splash.locator('img, svg').first()).toBeVisible();
  await page.clock.runFor(200);
  await expect(splash).toHaveCount(0);
  await visit.step('credentials');
});

test('card: at most 470 px wide with a shadow, without the shadow if the nested UI is eliminated', async ({
  page,
  visit,
}) => {
  const card = page.locator('[data-card]');
  await visit.open();
  await visit.step('credentials');
  const width = await page.locator('main form').evaluate((form) => form.getBoundingClientRect().width);
  expect(Math.round(width)).toBeLessThanOrEqual(470);
  await expect(card).not.toHaveCSS('box-shadow', 'none');
  await expect(page.locator('h1 img, h1 svg')).toBeVisible();
  visit.context({ loginFlowCustomizations: { nestedUIEliminated: true } });
  await visit.open();
  await visit.step('credentials');
  await expect(card).toHaveAttribute('data-flat', /.*/);
  await expect(card).toHaveCSS('box-shadow', 'none');
});

test('card: a list of boards is at most 800 px wide with to-dos and 470 px without', async ({
  page,
  visit,
  scripted,
}) => {
  const answer = {
    sites: [siteNamed('harbor', 'Harbor Trust')],
    userFirstName: 'Dana',
    userLastName: 'Rivers',
    boardsUserName: 'drivers',
  };
  visit.choosing();
  for (const [directorToDoItemsEnabled, width] of [
    [true, 800],
    [false, 470],
  ] as const) {
    scripted.script.answer('getSites', { ...answer, directorToDoItemsEnabled });
    await visit.open();
    await visit.step('select-site');
    await expect(page.locator('[data-site="harbor"]')).toBeVisible();
    expect((await page.locator('main').boundingBox())?.width).toBe(width);
  }
});

test('card: an error notification moves it down for 5000 ms', async ({ page, visit }) => {
  const top = async (): Promise<number> =>
    page.locator('[data-card]').evaluate((card) => card.getBoundingClientRect().top + scrollY);
  await page.clock.install();
  await visit.open();
  await visit.step('credentials');
  const plain = await top();
  await visit.setNotice({ level: 'error', key: 'error.serverUnreachable' });
  await visit.open();
  await expect(visit.notice('error')).toBeVisible();
  await expect.poll(top).toBeGreaterThan(plain + 4);
  await page.clock.runFor(5_200);
  await expect.poll(top).toBeCloseTo(plain, 0);
  await expect(visit.notice('error')).toBeVisible();
});

test('footer: privacy policy, support and languages, unless the application hides them', async ({
  visit,
  scripted,
}) => {
  const names = ['privacy-policy', 'global-support', 'language'];
  await visit.open();
  await visit.step('credentials');
  for (const name of names) await expect(visit.action(name).first()).toBeVisible();
  visit.context({ loginFlowCustomizations: { languageSelectionAndLinksDisabled: true } });
  await visit.open();
  await visit.step('credentials');
  for (const name of names) await expect(visit.action(name)).toHaveCount(0);
  visit.context({});
  for (const [language, suffix] of [
    ['en', /\/privacy\/?$/],
    ['pt', /\/privacy\W?pt-br$/],
    ['zh', /\/privacy\W?zh-hans$/],
    ['de', /\/privacy\W?de$/],
  ] as const) {
    await visit.open('/account/login', { returnUrl: { requested_language: language } });
    await visit.step('credentials');
    await expect(visit.action('privacy-policy')).toHaveAttribute('href', suffix);
    await expect(visit.action('privacy-policy')).toHaveAttribute('target', '_blank');
  }
  // without these settings there are no links
  scripted.script.answer('getConfig', {});
  await visit.open();
  await visit.step('credentials');
  await expect(visit.action('global-support')).toHaveCount(0);
});

test('language picker: a menu with the current language checked, which stores the choice; hidden at 440 px', async ({
  page,
  visit,
  scripted,
}) => {
  await visit.open();
  await visit.step('credentials');
  await visit.action('language').click();
  await expect(page.getByRole('menuitemradio')).toHaveCount(supportedLocales.length);
  await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText(/English/);
  await page.getByRole('menuitemradio', { name: 'Français' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await visit.open();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  const cookies = await page.context().cookies(scripted.urls.service);
  const stored = cookies.find(({ name }) => name === 'anteroom_locale');
  expect(stored).toMatchObject({ value: 'fr', path: '/', sameSite: 'Lax' });
  expect(stored?.expires).toBeGreaterThan(Date.now() / 1000 + 300 * 86_400);
  for (const [width, count] of [
    [440, 0],
    [441, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect(visit.action('language')).toHaveCount(count);
  }
});

test('languages: Arabic and Hebrew are right-to-left, and requested_language wins over the stored language', async ({
  page,
  visit,
}) => {
  for (const [language, direction] of [
    ['ar', 'rtl'],
    ['he', 'rtl'],
    ['ja', 'ltr'],
  ] as const) {
    await visit.open('/account/login', { returnUrl: { requested_language: language } });
    await visit.step('credentials');
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.locator('html')).toHaveCSS('direction', direction);
  }
  await visit.open();
  await visit.step('credentials');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
});

test('logos: a logo loads within 150 px of the viewport, and the default logo replaces a logo that fails', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  const requests: string[] = [];
  await page.route(/\/logos\//, async (route) => {
    const url = route.request().url();
    requests.push(url);
    if (url.includes('missing')) return route.fulfill({ status: 404 });
    return route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"/>',
    });
  });
  visit.choosing();
  scripted.script.answer('getSites', {
    sites: Array.from({ length: 40 }, (_, index) => ({
      ...siteNamed(`s${index}`, `Board ${String(index).padStart(2, '0')}`),
      logoPath: `${scripted.urls.application}/logos/${index === 1 ? 'missing' : index}.svg`,
    })),
    userFirstName: 'Dana',
    userLastName: 'Rivers',
    boardsUserName: 'drivers',
    directorToDoItemsEnabled: false,
  });
  await visit.open();
  await visit.step('select-site');
  await expect.poll(() => requests.some((url) => url.endsWith('/0.svg'))).toBe(true);
  await expect(page.locator('[data-site="s1"] img').first()).toHaveAttribute('src', /\/ui\/assets\/icons\//);
  expect(requests.some((url) => url.endsWith('/39.svg'))).toBe(false);
  const tops = await page
    .locator('[data-site]')
    .evaluateAll((entries) => entries.map((entry) => entry.getBoundingClientRect().top));
  const far = requests
    .map((url) => Number(/(\d+)\.svg$/.exec(url)?.[1] ?? 0))
    .filter((index) => (tops[index] ?? 0) > 900 + 150 + 60);
  expect(far).toEqual([]);
  await page.locator('[data-site="s39"]').scrollIntoViewIfNeeded();
  await expect.poll(() => requests.some((url) => url.endsWith('/39.svg'))).toBe(true);
  // the browser logs the missing logo
  noise.splice(0, noise.length, ...noise.filter((line) => !line.includes('/logos/missing.svg')));
});

test('icons and texts: static files by name, with their version', async ({ page, visit }) => {
  const requests: string[] = [];
  page.on('request', (request) =>
    requests.push(new URL(request.url()).pathname + new URL(request.url()).search),
  );
  visit.choosing();
  await visit.open();
  await visit.step('select-site');
  const icons = requests.filter((path) => path.startsWith('/ui/assets/icons/'));
  expect(icons.length).toBeGreaterThan(0);
  for (const icon of icons) expect(icon).toMatch(/^\/ui\/assets\/icons\/[\w-]+\.svg\?v=\S+$/);
  expect(requests).toContain('/ui/assets/i18n/en-1.21.0.json');
});

test('other pages: version, verified e-mail under both spellings, and any other path', async ({
  page,
  visit,
}) => {
  await visit.open('/home/version');
  await visit.step('version');
  await expect(page.locator('main')).toContainText(/Version:\s*\S*\d/);
  for (const path of ['/home/require-verified-login-email', '/home/require_verified_email']) {
    await visit.open(path);
    await visit.step('require-verified-login-email');
    await expect(
      page.getByRole('heading', { name: wordsPattern('error.verifiedEmailRequired.heading') }),
    ).toBeVisible();
    await expect(page.locator('main')).toContainText(wordsPattern('error.verifiedEmailRequired.description'));
  }
  for (const path of ['/no/such/page', '/account/nothing', '/login-wizard/nothing']) {
    await visit.open(path);
    await visit.step('error');
  }
});
