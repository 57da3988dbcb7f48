import { authenticatorCode } from '@anteroom/testkit/authenticator';
import { demoPassword } from '@anteroom/testkit/demo-people';
import { findViolations } from '../fixtures/accessibility.ts';
import { signInAtPortal } from '../fixtures/sign-in-at-portal.ts';
import { tabTo } from '../fixtures/tab-to.ts';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/world-test.ts';

// The account page, from the portal, with the keyboard alone once the user is signed in.

test('a user signs out everywhere else, and proves the account again after ten minutes', async ({
  page,
  browser,
  world,
}) => {
  const elsewhere = await (await browser.newContext()).newPage();
  await signInAtPortal(elsewhere, world);
  await elsewhere.waitForURL(`${world.demo.url}/**`);
  await signInAtPortal(page, world);
  await page.waitForURL(`${world.demo.url}/**`);

  await tabTo(page, '[data-action="account"]');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: words('account.heading') })).toBeFocused();
  await expect(page.getByText('Harbor Trust').first()).toBeVisible();
  await expect(page.locator('[data-session]')).toHaveCount(2);
  expect(await findViolations(page)).toEqual([]);

  await tabTo(page, '[data-action="end-other-sessions"]');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-banner]')).toHaveText(words('account.sessions.othersEnded'));
  await expect(page.locator('[data-session]')).toHaveCount(1);
  await elsewhere.goto(`${world.identity.url}/ui/account`);
  await expect(elsewhere.getByRole('textbox', { name: words('login.userName') })).toBeVisible();
  await elsewhere.context().close();

  world.clock.advanceSeconds(601);
  await page.reload();
  await page.locator('main[data-step="elevate"]').waitFor();
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: words('account.heading') })).toBeFocused();
  expect(new URL(page.url()).search).toBe('?refererClientId=director');
  await tabTo(page, '[data-action="back-to-boards"]');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${world.demo.url}/**`);
});

test('a path below the account page that is none shows the error page', async ({ page, world }) => {
  const answer = await page.goto(`${world.identity.url}/ui/account/nothing`);
  expect(answer?.status()).toBe(404);
  await expect(page.locator('main[data-step="error"]')).toBeVisible();
});

test('a user sets an authenticator app up on the account page, makes new recovery codes, and removes it', async ({
  page,
  world,
}) => {
  await signInAtPortal(page, world);
  await page.waitForURL(`${world.demo.url}/**`);
  await page.locator('[data-action="account"]').click();
  await tabTo(page, '[data-action="set-up-app"]');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: words('authenticator.qrCode') })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  const address = (await page.locator('[data-action="open-app"]').getAttribute('href')) ?? '';
  const secret = new URL(address).searchParams.get('secret') ?? '';
  await tabTo(page, 'input[name="code"]');
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText(words('authenticator.errors.invalidCode'))).toBeVisible();
  await page.keyboard.type(authenticatorCode(secret, world.clock.now()));
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-banner]')).toHaveText(words('account.app.done'));
  await expect(page.locator('[data-action="set-up-app"]')).toBeFocused();

  await tabTo(page, '[data-action="make-recovery-codes"]');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-recovery-codes] li')).toHaveCount(10);
  const downloading = page.waitForEvent('download');
  await page.locator('[data-action="download"]').click();
  expect((await downloading).suggestedFilename()).toBe('recovery-codes.txt');

  const takeBack = await world.requireSecondFactor('harbor');
  await page.locator('[data-action="remove-app"]').click();
  await expect(page.getByText(words('account.app.required'))).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await takeBack();
});

test('a user whose site asks for nothing removes the authenticator app', async ({ page, world }) => {
  await signInAtPortal(page, world);
  await page.waitForURL(`${world.demo.url}/**`);
  await page.locator('[data-action="account"]').click();
  await page.locator('[data-action="set-up-app"]').click();
  const address = (await page.locator('[data-action="open-app"]').getAttribute('href')) ?? '';
  const secret = new URL(address).searchParams.get('secret') ?? '';
  await page.locator('input[name="code"]').click();
  await page.keyboard.type(authenticatorCode(secret, world.clock.now()));
  await page.keyboard.press('Enter');
  await page.locator('[data-action="remove-app"]').click();
  await expect(page.locator('[data-banner]')).toHaveText(words('account.app.removed'));
  await expect(page.locator('[data-app="none"]')).toBeVisible();
});
