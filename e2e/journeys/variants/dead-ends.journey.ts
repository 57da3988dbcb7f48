import type { Page } from '@playwright/test';
import { findViolations } from '../../fixtures/accessibility.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

// Pages where a visitor could be stuck: each explains what happened and offers one action that continues.

async function expectDeadEnd(page: Page, reason: 'start' | 'address' | 'cookies' | 'over'): Promise<void> {
  await expect(page.locator('main[data-step="error"]')).toBeVisible();
  // the initialisation has ended: no splash, nothing is loading
  await expect(page.locator('[data-splash], main[data-loading]')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(words(`error.${reason}.heading`));
  await expect(page).toHaveTitle(new RegExp(`^${words(`error.${reason}.heading`)} · `));
  await expect(page.locator('main')).toContainText(
    words(`error.${reason}.subHeading`, { host: new URL(page.url()).host }),
  );
}

async function startAgain(page: Page): Promise<void> {
  await page.getByRole('link', { name: words('error.startAgain') }).click();
  await expect(page.getByRole('textbox', { name: words('site.label') })).toBeFocused();
}

test('a bookmark links to the boards, the empty path continues its sign-in, and a sign-in without cookies or after its expiry starts again [2.1, 4.1]', async ({
  page,
  product,
  noise,
}) => {
  for (const [path, reason] of [
    ['/nowhere', 'address'],
    ['/ui/no/such/page', 'address'],
    ['/', 'start'],
    ['/ui/account/login', 'start'],
  ] as const) {
    await page.goto(`${product.identity.url}${path}`);
    await expectDeadEnd(page, reason);
    await expect(page.getByRole('link', { name: words('common.goToBoards') }), path).toHaveAttribute(
      'href',
      `${product.demo.url}/`,
    );
  }
  await page.getByRole('link', { name: words('common.goToBoards') }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page.getByRole('textbox', { name: words('site.label') })).toBeFocused();

  // the empty path with a sign-in in its query continues that sign-in
  const signIn = page.url();
  await page.goto(`${product.identity.url}/${new URL(signIn).search}`);
  await expect(page.getByRole('textbox', { name: words('site.label') })).toBeFocused();
  // the form is there before the application, which replaces the address
  await expect(page).toHaveURL(signIn);

  await page.context().clearCookies();
  await page.reload();
  await expectDeadEnd(page, 'cookies');
  await startAgain(page);

  product.clock.advanceSeconds(24 * 60 * 60);
  await page.reload();
  await expectDeadEnd(page, 'over');
  await startAgain(page);
  // browsers log answers with status 404
  noise.splice(0, noise.length, ...noise.filter((line) => !line.includes('404')));
});

test('one press copies the correlation id for support', async ({ browser, product }) => {
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  await page.goto(`${product.identity.url}/ui/home/error?skip_splash`);
  await page.getByRole('button', { name: words('error.copy') }).click();
  await expect(page.getByRole('button', { name: words('error.copied') })).toBeFocused();
  const copied = await page.evaluate(async () => navigator.clipboard.readText());
  await expect(page.locator('main dl')).toContainText(copied);
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'anteroom_correlation');
  expect(copied).toBe(cookie?.value);
  expect(await findViolations(page)).toEqual([]);
  await context.close();
});
