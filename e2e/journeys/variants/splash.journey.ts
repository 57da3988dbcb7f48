import { demoUsers } from '@anteroom/testkit/demo-users';
import type { Page } from '@playwright/test';
import { arriveAt } from '../../fixtures/arrive.ts';
import { signInAtPortal } from '../../fixtures/sign-in-at-portal.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

const splash = (page: Page) => page.locator('[data-splash]');

/** Advances the page's clock by some frames, in which the page loads its application, until `isThere` holds. */
async function openAtOnce(page: Page, isThere: () => Promise<void>): Promise<void> {
  let frames = 0;
  await expect(async () => {
    frames += 1;
    await page.clock.runFor(20);
    await isThere();
  }).toPass();
  expect(frames).toBeLessThan(40);
}

test('pages open at once for an application that disables the splash, and after a second for another application [2.22, 9.3]', async ({
  page,
  product,
}) => {
  const redirectUri = `${product.demo.url}/callback`;
  await product.registerClient('with-splash', {
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  });
  await page.clock.install();
  await page.goto(product.demo.url);
  // from here on the journey controls the page's clock
  await page.clock.pauseAt(Date.now() + 3_600_000);

  await page.getByRole('link', { name: 'Sign in' }).click();
  const site = page.getByRole('textbox', { name: words('site.label') });
  const siteIsFocused = () => expect(site).toBeFocused({ timeout: 500 });
  await openAtOnce(page, siteIsFocused);
  await expect(splash(page)).toHaveCount(0);

  await page.clock.resume();
  await signInAtPortal(page, product, { userName: demoUsers.secretary });
  await arriveAt(page, `${product.demo.url}/`);
  await page.clock.pauseAt(Date.now() + 7_200_000);
  await page.goto(`${product.identity.url}/connect/session/end?client_id=director`);
  await openAtOnce(page, () =>
    expect(page.locator('main[data-step="logout"] button[type="submit"]')).toBeVisible({ timeout: 500 }),
  );
  await expect(splash(page)).toHaveCount(0);

  const query = new URLSearchParams({
    client_id: 'with-splash',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    prompt: 'switch_tenant',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  await page.goto(`${product.identity.url}/connect/authorize?${query.toString()}`);
  await expect(splash(page).getByRole('progressbar')).toHaveCount(1);
  await page.clock.runFor(900);
  await expect(splash(page).getByRole('progressbar')).toHaveCount(1);
  await page.clock.runFor(200);
  await openAtOnce(page, siteIsFocused);
  await expect(splash(page)).toHaveCount(0);
});
