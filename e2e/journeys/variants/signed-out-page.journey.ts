import { demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { signInAtPortal } from '../../fixtures/sign-in-at-portal.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

// The signed-out page, opened again.

const step = (page: Page, name: string) =>
  expect(page.locator('main[data-step]')).toHaveAttribute('data-step', name);

async function expectSignedInAtPortal(page: Page, { demo }: Product): Promise<void> {
  await page.goto(demo.url);
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
}

/** Requests a sign-out as an application that does not name the user, so that a confirmation is required. */
async function askForSignOut(page: Page, { identity, demo }: Product): Promise<void> {
  const asked = new URLSearchParams({
    client_id: 'director',
    post_logout_redirect_uri: `${demo.url}/signed-out`,
  });
  await page.goto(`${identity.url}/connect/session/end?${asked.toString()}`);
  await step(page, 'logout');
}

test('a signed-in user never reads “You are signed out”: a bookmark, a link with a logout id and a reload require a confirmation [2.4]', async ({
  page,
  product,
}) => {
  const notified: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/front-channel-sign-out')) notified.push(request.url());
  });
  await signInAtPortal(page, product);
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
  const asked = await page.request.get(`${product.identity.url}/connect/session/end?client_id=director`, {
    maxRedirects: 0,
  });
  const logoutId = new URL(asked.headers()['location'] ?? '', product.identity.url).searchParams.get(
    'logoutId',
  );
  expect(logoutId).not.toBeNull();
  for (const query of ['', '?logoutId=unknown', `?logoutId=${logoutId}`, '?skip_logout_delay=true']) {
    await page.goto(`${product.identity.url}/ui/account/logged-out${query}`);
    await step(page, 'logout');
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/ui/account/logout${query}`);
    await page.reload();
    await step(page, 'logout');
    await expect(page.getByText(words('loggedOut.heading'))).toHaveCount(0);
  }
  expect(notified).toEqual([]);
  await expectSignedInAtPortal(page, product);
});

test('Back to the signed-out page after a new sign-in requires a confirmation and does not sign out [S14]', async ({
  page,
  context,
  product,
}) => {
  await signInAtPortal(page, product);
  // the portal names its user, so no confirmation is required
  await page.getByRole('link', { name: 'Sign out' }).click();
  await page.waitForURL(`${product.demo.url}/signed-out`);

  const otherTab = await context.newPage();
  await signInAtPortal(otherTab, product, { isSiteKnown: true });
  await expect(otherTab.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);

  await page.goBack();
  await step(page, 'logout');
  await expect(page.getByText(words('loggedOut.heading'))).toHaveCount(0);
  await expectSignedInAtPortal(otherTab, product);
  // after the confirmation the page still redirects to the portal
  await page.locator('main button[type="submit"]').click();
  await page.waitForURL(`${product.demo.url}/signed-out`);
});

test('a reload of the signed-out page still redirects to the application, and a sign-in in progress stays usable [4.29]', async ({
  page,
  product,
}) => {
  await page.clock.install();
  await signInAtPortal(page, product);
  await page.clock.runFor(2_000);
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
  await askForSignOut(page, product);
  // the reloaded page shows no splash
  await page.goto(`${page.url()}&skip_splash=true`);
  await step(page, 'logout');
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await page.locator('main button[type="submit"]').click();
  await step(page, 'logged-out');
  await page.reload();
  // the page loads its application with the next frames, which this clock holds back
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(page.locator('main[data-step="logged-out"]')).toBeVisible({ timeout: 100 });
  }).toPass();
  expect(new URL(page.url()).searchParams.get('logoutId')).not.toBeNull();
  await page.clock.runFor(2_000);
  await page.waitForURL(`${product.demo.url}/signed-out`);

  // the page signs out again, which does not affect a sign-in in progress
  await page.clock.resume();
  await page.goto(`${product.demo.url}/go/sign-in`);
  await step(page, 'credentials');
  const signIn = page.url();
  await page.goto(`${product.identity.url}/ui/account/logged-out`);
  await step(page, 'logged-out');
  await page.goto(signIn);
  await step(page, 'credentials');
});
