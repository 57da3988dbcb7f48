import { authenticatorCode } from '@anteroom/testkit/authenticator';
import { demoPassword } from '@anteroom/testkit/demo-users';
import { signInAtPortal } from '../fixtures/sign-in-at-portal.ts';
import { readMessages, receiveMessage } from '../fixtures/mails.ts';
import { tabTo } from '../fixtures/tab-to.ts';
import { words, wordsPattern } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/test.ts';

// The account page, opened from the portal; after the sign-in, keyboard only.

test('a user signs out everywhere else, and confirms their identity again after ten minutes', async ({
  page,
  browser,
  product,
}) => {
  const elsewhere = await (await browser.newContext()).newPage();
  await signInAtPortal(elsewhere, product);
  await elsewhere.waitForURL(`${product.demo.url}/**`);
  await signInAtPortal(page, product);
  await page.waitForURL(`${product.demo.url}/**`);

  await tabTo(page, '[data-action="account"]');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: words('account.heading') })).toBeFocused();
  await expect(page.getByText('Harbor Trust').first()).toBeVisible();
  await expect(page.locator('[data-session]')).toHaveCount(2);

  await tabTo(page, '[data-action="end-other-sessions"]');
  await page.keyboard.press('Enter');
  await expect(page.locator('main :focus')).toHaveText(words('account.sessions.endOthersQuestion'));
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-action="end-other-sessions"]')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-banner]')).toHaveText(words('account.sessions.othersEnded'));
  await expect(page.locator('[data-session]')).toHaveCount(1);
  await elsewhere.goto(`${product.identity.url}/ui/account`);
  await expect(elsewhere.getByRole('textbox', { name: words('login.userName') })).toBeVisible();
  await elsewhere.context().close();

  product.clock.advanceSeconds(601);
  await page.reload();
  await page.locator('main[data-step="elevate"]').waitFor();
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: words('account.heading') })).toBeFocused();
  expect(new URL(page.url()).search).toBe('?refererClientId=director');
  await tabTo(page, '[data-action="back-to-boards"]');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${product.demo.url}/**`);
});

test('a user sets up an authenticator app on the account page, creates new recovery codes, and removes the app', async ({
  page,
  product,
}) => {
  await signInAtPortal(page, product);
  await page.waitForURL(`${product.demo.url}/**`);
  await page.locator('[data-action="account"]').click();
  await tabTo(page, '[data-action="set-up-app"]');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: words('authenticator.qrCode') })).toBeVisible();
  const address = (await page.locator('[data-action="open-app"]').getAttribute('href')) ?? '';
  const secret = new URL(address).searchParams.get('secret') ?? '';
  for (const shown of ['[data-recovery-codes]', 'input[name="code-1"]:focus']) {
    await tabTo(page, 'main button[type="submit"]');
    await page.keyboard.press('Enter');
    await expect(page.locator(shown)).toBeVisible();
  }
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText(words('authenticator.errors.invalidCode'))).toBeVisible();
  await page.keyboard.type(authenticatorCode(secret, product.clock.now()));
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-banner]')).toHaveText(words('account.app.done'));
  await expect(page.locator('[data-action="set-up-app"]')).toBeFocused();

  await tabTo(page, '[data-action="make-recovery-codes"]');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-recovery-codes] li')).toHaveCount(10);
  const downloading = page.waitForEvent('download');
  await page.locator('[data-action="download"]').click();
  expect((await downloading).suggestedFilename()).toBe('recovery-codes.txt');

  await product.requireSecondFactor('harbor');
  await page.locator('[data-action="remove-app"]').click();
  await page.locator('main button[type="submit"]').click();
  await expect(page.getByText(words('account.app.required'))).toBeVisible();
});

test('a user confirms a phone number on the account page, and removes it', async ({ page, product }) => {
  const number = '+442079460777';
  await signInAtPortal(page, product);
  await page.waitForURL(`${product.demo.url}/**`);
  await page.locator('[data-action="account"]').click();
  await tabTo(page, '[data-action="set-phone-number"]');
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: words('account.phone.number') });
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('dir', 'ltr');
  await page.keyboard.type('020 7946 0777');
  await page.keyboard.press('Enter');
  await expect(page.getByText(words('account.phone.countryCode'))).toBeVisible();
  await field.fill('+44 (0)20 7946 0142');
  await page.keyboard.press('Enter');
  await expect(page.getByText(wordsPattern('account.phone.nationalZero'))).toBeVisible();
  await expect(field).toBeFocused();

  await field.fill('\u202A+٤٤ 20 7946/0777\u202C');
  await page.keyboard.press('Enter');
  await expect(page.locator('input[name="code-1"]')).toBeFocused();
  const { code = '' } = await receiveMessage(product, number, 0);
  await page.keyboard.type(code === '000000' ? '111111' : '000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText(words('account.phone.checkCode'))).toBeVisible();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-banner]')).toHaveText(words('account.phone.done'));
  await expect(page.locator('[data-row="phone"]')).toContainText('77');
  await expect(page.locator('[data-action="set-phone-number"]')).toBeFocused();

  await product.requireSecondFactor('harbor');
  await page.locator('[data-action="remove-phone-number"]').click();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText(words('account.phone.required'))).toBeVisible();
  await expect(page.locator('[data-action="remove-phone-number"]')).toBeFocused();
  await product.requireSecondFactor('harbor', false);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-row="phone"] [data-banner]')).toHaveText(words('account.phone.removed'));
  await expect(page.locator('[data-row="phone"] h3')).toBeFocused();
  await expect(page.locator('[data-action="remove-phone-number"]')).toHaveCount(0);
  await expect.poll(async () => (await readMessages(product, number)).length).toBe(2);
});
