import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Page } from '@playwright/test';
import { enterCredentials, openCredentials } from '../fixtures/sign-in-at-portal.ts';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/test.ts';

const wrongCredentials = words('login.errors.invalidCredentials');

/** Expects the user's claims at the demo portal. */
async function expectClaims(page: Page, demoUrl: string, email: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`^${demoUrl}/`));
  await expect(page.locator('[data-claim="email"]')).toHaveText(email);
  await expect(page.locator('[data-claim="sub"]')).not.toBeEmpty();
}

test('a keyboard user signs in from the board portal, which gets the claims [WCAG 1.3.2, 2.1.1, 2.1.2, 3.2.1]', async ({
  page,
  product,
}) => {
  await page.goto(product.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).focus();
  await page.keyboard.press('Enter');

  await expect(page.getByRole('textbox', { name: words('site.label') })).toBeFocused();
  await page.keyboard.type('harbor');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('textbox', { name: words('login.userName') })).toBeFocused();
  await page.keyboard.type(demoUsers.secretary);
  await page.keyboard.press('Tab');
  await expect(page.getByLabel(words('login.password'), { exact: true })).toBeFocused();
  await page.keyboard.type(demoPassword);
  await page.keyboard.press('Enter');

  await expectClaims(page, product.demo.url, demoUsers.secretary);
});

test('a wrong password shows a message, keeps the name and focuses the password [2.42]', async ({
  page,
  product,
}) => {
  await openCredentials(page, product);
  await enterCredentials(page, demoUsers.secretary, 'not my password');

  await expect(page.getByRole('alert').filter({ hasText: wrongCredentials })).toBeVisible();
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toHaveValue(demoUsers.secretary);
  await expect(page.getByLabel(words('login.password'), { exact: true })).toHaveValue('');
  await expect(page.getByLabel(words('login.password'), { exact: true })).toBeFocused();

  await page.keyboard.type(demoPassword);
  await page.keyboard.press('Enter');
  await expectClaims(page, product.demo.url, demoUsers.secretary);
});

test('an unknown site shows a message at the field, and the visitor can correct it', async ({
  page,
  product,
}) => {
  await page.goto(product.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  const site = page.getByRole('textbox', { name: words('site.label') });
  await site.fill('no-such-site');
  await page.getByRole('button', { name: words('common.continue') }).click();

  await expect(site).toHaveAccessibleDescription(words('site.errors.siteDoesNotExist'));
  await expect(site).toHaveAttribute('aria-invalid', 'true');
  await site.fill('harbor');
  await page.getByRole('button', { name: words('common.continue') }).click();
  await expect(page.getByRole('heading', { name: words('login.headingWithSite') })).toBeVisible();
});

test('an unknown user name gets the same answer as a wrong password, after the same work', async ({
  page,
  product,
}) => {
  await openCredentials(page, product);
  const countHashes = async (): Promise<number> =>
    Number(/^anteroom_password_hash_seconds_count (\d+)$/m.exec(await product.metrics())?.[1]);
  const tryAndCount = async (userName: string): Promise<number> => {
    const before = await countHashes();
    const answered = page.waitForResponse('**/api/ui/authenticate');
    await enterCredentials(page, userName, 'not my password');
    await (await answered).finished();
    await expect(page.getByLabel(words('login.password'), { exact: true })).toHaveValue('');
    await expect(page.getByRole('alert').filter({ hasText: wrongCredentials })).toBeVisible();
    return (await countHashes()) - before;
  };
  // the hash takes most of the time; the tests of the service compare the times precisely
  expect(await tryAndCount('stranger@demo.example')).toBe(1);
  expect(await tryAndCount(demoUsers.newcomer)).toBe(1);
});

test('a signed-in user returns to the portal without a prompt', async ({ page, product }) => {
  await openCredentials(page, product);
  await enterCredentials(page, demoUsers.secretary, demoPassword);
  await expectClaims(page, product.demo.url, demoUsers.secretary);

  // ends the portal's session, but not that of the service
  await page.context().clearCookies({ domain: 'localhost', name: /boards/ });
  await page.goto(product.demo.url);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expectClaims(page, product.demo.url, demoUsers.secretary);
  expect(requests.filter((url) => url.includes('/api/ui/authenticate'))).toEqual([]);
});
