import { demoPassword, demoPeople } from '@anteroom/testkit/demo-people';
import type { World } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { findViolations } from '../fixtures/accessibility.ts';
import { readMessages, receiveMessage } from '../fixtures/mails.ts';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/world-test.ts';

/** From the demo portal to its signed-in page, through the site that is named. */
async function signInAt(page: Page, { demo }: World, site: string, userName: string): Promise<void> {
  await page.goto(demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: words('site.label') }).fill(site);
  await page.getByRole('button', { name: words('common.continue') }).click();
  await page.getByRole('textbox', { name: words('login.userName') }).fill(userName);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn') }).click();
}

const directorsPhone = '+442079460142';

async function signInDirector(page: Page, world: World): Promise<void> {
  const before = (await readMessages(world, directorsPhone)).length;
  await signInAt(page, world, 'harbor', demoPeople.director);
  await page.locator('main[data-step="second-factor-required"]').waitFor();
  const { code = '' } = await receiveMessage(world, directorsPhone, before);
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-claim="site"]')).toHaveText('harbor');
}

test('whoever has one board only passes straight through, and never sees the list', async ({
  page,
  world,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await signInAt(page, world, 'harbor', demoPeople.secretary);
  await expect(page.locator('[data-claim="site"]')).toHaveText('harbor');
  expect(asked).toContain('/api/ui/authenticate');
  expect(asked).not.toContain('/api/ui/sites');
});

test('a director switches to the board of a committee with the keyboard alone, and sees what awaits on the way', async ({
  page,
  world,
}) => {
  await signInDirector(page, world);
  await page.getByRole('link', { name: 'Switch board' }).click();
  const entry = (name: string) => page.locator(`[data-site="${name}"]`);
  await expect(page.getByRole('heading', { name: words('selectSite.prompt') })).toBeVisible();
  await expect(page.locator('[data-group="northwind"] [data-site]')).toHaveCount(3);
  await expect(entry('northwind-audit').locator('[data-entitlement]')).toHaveText('Chair');
  await expect(entry('northwind-audit').locator('[data-todo="questionnaire"]')).toContainText('20+');
  await expect(entry('northwind').getByRole('button').first()).toHaveAccessibleName(
    `Select board Northwind Holdings, ${words('selectSite.newBook')}`,
  );
  await expect(entry('harbor').getByRole('button').first()).toHaveAccessibleName(
    `Select board Harbor Trust, ${words('selectSite.bookUpdate')}`,
  );
  expect(await findViolations(page)).toEqual([]);

  await entry('harbor').getByRole('button').first().focus();
  await page.keyboard.type('northwindaudit');
  await expect(entry('northwind-audit').getByRole('button').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-claim="site"]')).toHaveText('northwind-audit');

  // the next time the board stays as it is
  await page.getByRole('link', { name: 'Switch board' }).click();
  await page.locator('[data-action="back-to-boards"]').click();
  await expect(page).toHaveURL(new RegExp(`^${world.demo.url}/`));
  await expect(page.locator('[data-claim="site"]')).toHaveText('northwind-audit');
});
