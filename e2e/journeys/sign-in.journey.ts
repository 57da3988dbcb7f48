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
