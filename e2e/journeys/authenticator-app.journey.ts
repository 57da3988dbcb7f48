import { demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import { authenticatorCode } from '@anteroom/testkit/authenticator';
import type { Page } from '@playwright/test';
import { readMessages } from '../fixtures/mails.ts';
import { readKeyOfApp } from '../fixtures/set-up-app.ts';
import { signInAtPortal } from '../fixtures/sign-in-at-portal.ts';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/test.ts';

// A user without a phone at a site that requires a second factor sets up an app in the sign-in, which later sign-ins require.

const phoneNumber = '+442079460177';
const codeStep = 'main[data-step="second-factor-required"]';

test.beforeEach(({ product }) => product.requireSecondFactor('harbor'));

async function enterCode(page: Page, code: string): Promise<void> {
  await page.locator('input[name="code-1"]').click();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}

async function signIn(page: Page, product: Product, isSiteKnown = false): Promise<void> {
  await signInAtPortal(page, product, { userName: demoUsers.secretary, isSiteKnown });
  await page.locator(codeStep).waitFor();
}

test('a user without a phone sets up an authenticator app, and later signs in with it and with a recovery code', async ({
  page,
  browser,
  product,
}) => {
  await signIn(page, product);
  await expect(page.getByRole('heading', { name: words('authenticator.heading') })).toBeFocused();
  await expect(page.getByRole('img', { name: words('authenticator.qrCode') })).toBeVisible();
  await expect(page.locator('[data-action="resend-code"]')).toHaveCount(0);
  const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
  // a browser that drops the page while the app is open shows the same key again
  await page.reload();
  const address = await page.locator('[data-action="open-app"]').getAttribute('href');
  expect(address).toContain(`secret=${secret}`);
  const next = page.getByRole('button', { name: words('common.continue') });
  await next.click();
  const codes = await page.locator('[data-recovery-codes] li').allTextContents();
  expect(codes).toHaveLength(10);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: words('authenticator.download') }).click();
  expect((await downloading).suggestedFilename()).toBe('recovery-codes.txt');
  await next.click();
  await expect(page.locator('input[name="code-1"]')).toBeFocused();

  await enterCode(page, '000000');
  await expect(page.getByText(words('authenticator.errors.invalidCode'))).toBeVisible();
  await enterCode(page, authenticatorCode(secret, product.clock.now()));
  await page.waitForURL(`${product.demo.url}/**`);

  const withCode = await (await browser.newContext()).newPage();
  product.clock.advanceSeconds(90);
  await signIn(withCode, product);
  await expect(withCode.getByText(words('authenticator.description'))).toBeVisible();
  await enterCode(withCode, authenticatorCode(secret, product.clock.now()));
  await withCode.waitForURL(`${product.demo.url}/**`);
  await withCode.context().close();

  const withRecoveryCode = await (await browser.newContext()).newPage();
  await signIn(withRecoveryCode, product);
  await withRecoveryCode.getByRole('button', { name: words('authenticator.useRecoveryCode') }).click();
  const field = withRecoveryCode.getByRole('textbox', { name: words('authenticator.recoveryCode') });
  await expect(field).toBeFocused();
  await field.fill('not one');
  await field.press('Enter');
  await expect(withRecoveryCode.getByText(words('authenticator.errors.recoveryCodeRequired'))).toBeVisible();
  await field.fill(codes[0]?.toLowerCase() ?? '');
  await field.press('Enter');
  await withRecoveryCode.waitForURL(`${product.demo.url}/**`);
  await withRecoveryCode.context().close();
});

test('a user with an app and a phone signs in with a text message instead', async ({
  page,
  product,
  browser,
}) => {
  await signIn(page, product);
  const secret = await readKeyOfApp(page);
  await enterCode(page, authenticatorCode(secret, product.clock.now()));
  await page.waitForURL(`${product.demo.url}/**`);
  await product.givePhone(demoUsers.secretary, phoneNumber);
  const withMessage = await (await browser.newContext()).newPage();
  await signIn(withMessage, product);
  await expect(withMessage.getByText(words('authenticator.description'))).toBeVisible();
  await withMessage.locator('[data-action="other-ways"]').click();
  await withMessage.locator('[data-action="use-text-message"]').click();
  await expect(withMessage.locator('input[name="code-1"]')).toBeFocused();
  await expect(withMessage.locator('[data-action="phone-number-info"]')).toBeVisible();
  const [newest] = await readMessages(product, phoneNumber);
  await enterCode(withMessage, newest?.code ?? '');
  await withMessage.waitForURL(`${product.demo.url}/**`);
  await withMessage.context().close();
});
