import { demoUsers } from '@anteroom/testkit/demo-users';
import type { Page } from '@playwright/test';
import { enterDirectorsCredentials, openCredentials, signInAtPortal } from '../fixtures/sign-in-at-portal.ts';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/test.ts';

const step = (page: Page, name: string) =>
  expect(page.locator('main[data-step]')).toHaveAttribute('data-step', name);

test('a sign-out at the service ends the session at the board portal, even though its cookie still exists [I11]', async ({
  page,
  product,
}) => {
  await signInAtPortal(page, product);
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);

  // does not use the portal's link, which would end the portal's session directly
  await page.goto(`${product.identity.url}/ui/account/logout`);
  const notified = page.waitForResponse(`${product.demo.url}/front-channel-sign-out?**`);
  await page.locator('button[type="submit"]').click();
  expect((await notified).status()).toBe(200);

  await page.goto(product.demo.url);
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.locator('[data-claim]')).toHaveCount(0);
});

test('a sign-out on the site list redirects to the application of the sign-in [4.29]', async ({
  page,
  product,
}) => {
  const { director } = demoUsers;
  await product.setEntitlement({ userName: director, site: 'harbor', isMet: false });
  await openCredentials(page, product);
  await enterDirectorsCredentials(page, product);
  await step(page, 'select-site');
  await page.locator('[data-action="sign-out"]').click();
  await step(page, 'logged-out');
  await expect(page.locator('main')).toContainText(words('loggedOut.description'));
  await page.waitForURL(`${product.demo.url}/`);
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeVisible();
});

test('a sign-out that no application requested offers to sign in again, at the boards', async ({
  page,
  product,
}) => {
  await page.goto(`${product.identity.url}/ui/account/logout`);
  await step(page, 'logged-out');
  await expect(page.locator('main')).toContainText(words('loggedOut.descriptionWithoutAddress'));
  await page.getByRole('link', { name: words('loggedOut.signIn') }).click();
  await expect(page).toHaveURL(`${product.demo.url}/`);
});
