import { demoPassword, demoPeople } from '@anteroom/testkit/demo-people';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/world-test.ts';

test('who signs out at the sign-in service is signed out at the board portal too, whatever its own cookie says', async ({
  page,
  world,
}) => {
  await page.goto(world.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: words('site.label') }).fill('harbor');
  await page.getByRole('button', { name: words('common.continue') }).click();
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoPeople.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn') }).click();
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoPeople.secretary);

  // not by the portal's own link, which would end its session by itself
  await page.goto(`${world.identity.url}/ui/account/logout`);
  const told = page.waitForResponse(`${world.demo.url}/front-channel-sign-out?**`);
  await page.locator('button[type="submit"]').click();
  expect((await told).status()).toBe(200);

  await page.goto(world.demo.url);
  await expect(page.getByRole('link', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.locator('[data-claim]')).toHaveCount(0);
});
