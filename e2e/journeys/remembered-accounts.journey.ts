import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { readMessages, receiveMessage } from '../fixtures/mails.ts';
import { directorsPhone } from '../fixtures/sign-in-at-portal.ts';
import { tabTo } from '../fixtures/tab-to.ts';
import { typeCode } from '../fixtures/type-code.ts';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/test.ts';

// A browser that comes back, with the keyboard alone.

test.beforeEach(async ({ product, addCleanup }) => {
  for (const site of ['harbor', 'northwind']) {
    await product.changeSite(site, { remember_accounts: true });
    addCleanup(() => product.changeSite(site, { remember_accounts: false }));
  }
});

const step = (page: Page) => page.locator('main[data-step]');
const arrived = (page: Page, email: string) => expect(page.locator('[data-claim="email"]')).toHaveText(email);

async function press(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}

async function openSignIn(page: Page, { demo }: Product): Promise<void> {
  await page.goto(demo.url);
  await press(page, '[data-action="sign-in"]');
}

async function enterSite(page: Page, site: string): Promise<void> {
  await expect(page.locator('input[name="site"]')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(site);
  await page.keyboard.press('Enter');
}

async function enterCredentials(page: Page, userName: string): Promise<void> {
  await expect(page.locator('input[name="userName"]')).toBeFocused();
  await page.keyboard.type(userName);
  await tabTo(page, 'input[name="password"]');
  await page.keyboard.type(demoPassword);
  await page.keyboard.press('Enter');
}

/** Comes back after all sessions of this browser have expired. */
async function endSessions(page: Page): Promise<void> {
  const lasting = ['anteroom_site', 'anteroom_accounts'];
  const kept = (await page.context().cookies()).filter(({ name }) => lasting.includes(name));
  await page.context().clearCookies();
  await page.context().addCookies(kept);
}

test('a returning user continues with the password alone, makes the browser forget the account, and is not remembered on a public computer [WCAG 2.1.1, 2.4.3]', async ({
  page,
  product,
}) => {
  await openSignIn(page, product);
  await enterSite(page, 'harbor');
  await enterCredentials(page, demoUsers.secretary);
  await arrived(page, demoUsers.secretary);

  await endSessions(page);
  await openSignIn(page, product);
  await expect(step(page)).toHaveAttribute('data-step', 'choose-account');
  await expect(page.getByRole('heading', { name: words('titles.choose-account') })).toBeFocused();
  await tabTo(page, '[data-action="continue-as"]');
  await expect(page.locator(':focus')).toHaveAccessibleName(/^Continue as .+ Harbor Trust$/);
  await page.keyboard.press('Enter');
  await expect(page.locator('input[name="password"]')).toBeFocused();
  await expect(page.locator('input[name="userName"]')).toHaveValue(demoUsers.secretary);
  await page.keyboard.type(demoPassword);
  await page.keyboard.press('Enter');
  await arrived(page, demoUsers.secretary);

  await endSessions(page);
  await openSignIn(page, product);
  await press(page, '[data-action="other-account"]');
  await expect(page.locator('input[name="site"]')).toBeFocused();
  await press(page, '[data-action="back"]');
  await press(page, '[data-action="forget-account"]');
  await expect(step(page)).toHaveAttribute('data-step', 'credentials');
  await page.reload();
  await expect(step(page)).toHaveAttribute('data-step', 'credentials');

  await press(page, '[data-action="back-to-site"]');
  await enterSite(page, 'northwind');
  const before = (await readMessages(product, directorsPhone)).length;
  await enterCredentials(page, demoUsers.director);
  await typeCode(page, (await receiveMessage(product, directorsPhone, before)).code ?? '');
  await tabTo(page, 'input[name="publicComputerSignIn"]');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await arrived(page, demoUsers.director);

  await endSessions(page);
  await openSignIn(page, product);
  await expect(step(page)).toHaveAttribute('data-step', 'credentials');
});
