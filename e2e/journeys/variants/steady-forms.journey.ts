import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Locator, Page } from '@playwright/test';
import { openCredentials } from '../../fixtures/sign-in-at-portal.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

const passwordField = (page: Page): Locator => page.getByLabel(words('login.password'), { exact: true });

/** Delays the next call of this path until the journey releases it. */
async function hold(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    `**/api/ui/${path}`,
    async (route) => {
      await promise;
      await route.continue();
    },
    { times: 1 },
  );
  return resolve;
}

for (const size of [
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
])
  test(`going offline and a wrong password do not move the form under a double-click, at ${size.width} px`, async ({
    page,
    product,
    noise,
  }) => {
    await page.setViewportSize(size);
    await page.clock.install();
    await openCredentials(page, product);
    const signIn = page.locator('main button[type="submit"]');
    await page.getByRole('textbox', { name: words('login.userName') }).fill(demoUsers.secretary);
    await passwordField(page).fill('not this one');

    // the margin of a notification must not end during a press
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.context().setOffline(true);
    await signIn.click();
    const notification = page.locator('[data-notification="error"]');
    await expect(notification).toContainText(words('error.serverUnreachable'));
    // the form can be submitted again unchanged
    await expect(passwordField(page)).toHaveValue('not this one');
    await page.context().setOffline(false);
    noise.length = 0;

    const { x = 0, y = 0, width = 0, height = 0 } = (await signIn.boundingBox()) ?? {};
    const release = await hold(page, 'authenticate');
    await page.mouse.dblclick(x + width / 2, y + height / 2);
    await expect(page.locator('main[data-loading="true"]')).toBeVisible();
    await expect(notification).toHaveCount(0);
    expect((await signIn.boundingBox())?.y).toBe(y);
    release();
    await expect(page.getByText(words('login.errors.invalidCredentials'))).toBeVisible();

    // the second click does not press a control that has moved under the pointer
    const isFollowed = await page.evaluate(() =>
      ['show-password', 'forgot-credentials'].map((action, index) =>
        document
          .querySelector(`[data-action="${action}"]`)
          ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: index + 1 })),
      ),
    );
    expect(isFollowed).toEqual([true, false]);
    await page.clock.resume();
    await passwordField(page).fill(demoPassword);
    await signIn.click();
    await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
  });

test('a message about the whole step takes the place of its notification without moving the form', async ({
  page,
  product,
  noise,
}) => {
  await page.clock.install();
  await openCredentials(page, product);
  const signIn = page.locator('main button[type="submit"]');
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoUsers.secretary);
  await passwordField(page).fill(demoPassword);
  await page.context().setOffline(true);
  await signIn.click();
  const notification = page.locator('[data-notification="error"]');
  await expect(notification).toContainText(words('error.serverUnreachable'));
  const before = await signIn.boundingBox();
  await page.clock.runFor(10_000);
  await expect(notification).toHaveCount(0);
  await expect(page.locator('[data-banner="error"]')).toHaveText(words('error.serverUnreachable'));
  expect(await signIn.boundingBox()).toEqual(before);
  // the browser reports the call, and whatever the page loads late
  noise.length = 0;
});
