import { supportedLocales } from '@anteroom/contract';
import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import { expect, test } from './visit.ts';

test('splash: logo and an indeterminate progress bar for 1000 ms, then it is removed from the document [2.22, 9.3]', async ({
  page,
  visit,
}) => {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.open('/account/login', { hasSplash: true });
  // some frames, in which the page loads its application
  await page.clock.runFor(100);
  await visit.called('getSiteSettings');
  const splash = page.locator('[data-splash]');
  await page.clock.runFor(800);
  await expect(splash.getByRole('progressbar')).toHaveCount(1);
  await expect(splash.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow');
  await expect(splash.locator('img, svg').first()).toBeVisible();
  await page.clock.runFor(200);
  await expect(splash).toHaveCount(0);
  await visit.step('credentials');
});

test('card: at most 470 px wide with a shadow, without the shadow if the nested UI is eliminated [2.23, 2.26, 9.6]', async ({
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

test('card: a list of boards is at most 800 px wide with to-dos and 470 px without [9.6]', async ({
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

test('card: an error notification moves it down for 5000 ms [2.27]', async ({ page, visit }) => {
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

test('language picker: a menu with the current language checked, which stores the choice; hidden at 440 px [2.29, 2.31, 9.6, 9.9]', async ({
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

test('languages: Arabic and Hebrew are right-to-left, and requested_language wins over the stored language [WCAG 1.3.2]', async ({
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

test('voluntary change: the external-access theme hides the footer and widens the card to 658 px [2.28, 2.45, 9.6]', async ({
  page,
  visit,
}) => {
  visit.signedIn({ promptMethod: 'change_password' });
  await visit.open();
  await visit.step('password-reset-voluntary');
  const card = page.locator('[data-card]');
  await expect(card).toHaveAttribute('data-theme', 'external-access');
  for (const name of ['privacy-policy', 'language']) await expect(visit.action(name)).toHaveCount(0);
  const widths = await page.locator('main form').evaluate((form) => {
    const around: Element[] = [];
    for (let element: Element | null = form; element; element = element.parentElement) around.push(element);
    return around.map((element) => {
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(element);
      return Math.round(element.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd));
    });
  });
  expect(widths[0]).toBeLessThanOrEqual(658);
  expect(widths).toContain(658);
});

test('error page: the copy button, which loads late, moves no line', async ({ page, visit }) => {
  const { promise: mayLoad, resolve: load } = Promise.withResolvers<void>();
  await page.route('**/{CopyButton,copy-button-part}-*.js', async (route) => {
    await mayLoad;
    await route.continue();
  });
  await visit.open('/home/error', { query: { errorId: 'e-1' } });
  await visit.step('error');
  const lines = page.locator('main dl bdi');
  const findTops = () => lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().y));
  await lines.first().waitFor();
  await expect(page.locator('main dl button')).toHaveCount(0);
  const before = await findTops();
  load();
  await page.locator('main dl button').waitFor();
  expect(await findTops()).toEqual(before);
});
