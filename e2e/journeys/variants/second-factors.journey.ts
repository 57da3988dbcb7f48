import type { Product } from '@anteroom/testkit';
import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Page } from '@playwright/test';
import { findViolations } from '../../fixtures/accessibility.ts';
import { signInAtPortal } from '../../fixtures/sign-in-at-portal.ts';
import { goToCompany } from '../../fixtures/sign-in-over-company.ts';
import { expect, test } from '../../fixtures/test.ts';
import { addAuthenticator, withoutList } from '../../fixtures/virtual-authenticator.ts';
import type { Authenticator } from '../../fixtures/virtual-authenticator.ts';
import { words } from '../../fixtures/words.ts';

// The second factors of a user, with the real service.

let product: Product;
test.beforeEach(({ product: started }) => {
  product = started;
});

const codeStep = 'main[data-step="second-factor-required"]';
const passkeyButton = { name: words('authenticator.usePasskey') };
const employee = 'employee@corp.example';

async function openAccount(page: Page): Promise<void> {
  await page.goto(`${product.identity.url}/ui/account?refererClientId=director`);
  await page.getByRole('heading', { name: words('account.heading') }).waitFor();
}

/** A user with only a password creates a passkey on the account page; no site requires a second factor yet. */
async function createPasskey(page: Page, authenticator: Authenticator): Promise<void> {
  await signInAtPortal(page, product);
  await page.waitForURL(`${product.demo.url}/**`);
  await openAccount(page);
  await page.locator('[data-action="create-passkey"]').click();
  await expect(page.locator('[data-banner]')).toHaveText(words('account.passkeys.added'));
  expect(await authenticator.count()).toBe(1);
}

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
}

test('a user whose only second factor is a passkey proves it after the password at a site that asks for one', async ({
  page,
}) => {
  await withoutList(page);
  const authenticator = await addAuthenticator(page);
  await createPasskey(page, authenticator);
  await product.requireSecondFactor('harbor');
  await page.context().clearCookies();
  await signInAtPortal(page, product);
  await page.locator(codeStep).waitFor();
  await expect(page.getByRole('heading', { name: words('authenticator.passkeyHeading') })).toBeFocused();
  expect(await findViolations(page)).toEqual([]);

  // a prompt without the user's verification fails, and the step stays
  await authenticator.setVerified(false);
  await page.getByRole('button', passkeyButton).click();
  await expect(page.getByText(words('authenticator.errors.passkeyCancelled'))).toBeVisible();
  await expect(page.locator(codeStep)).toBeVisible();

  await authenticator.setVerified(true);
  await page.getByRole('button', passkeyButton).click();
  await page.waitForURL(`${product.demo.url}/**`);
  await expect(page.locator('[data-claim="amr"]')).toContainText('pwd');
});

test('the step-up page asks for the passkey of the user after the password, and leads back to the account page', async ({
  page,
}) => {
  await withoutList(page);
  const authenticator = await addAuthenticator(page);
  await createPasskey(page, authenticator);
  product.clock.advanceSeconds(601);
  await page.reload();
  await page.locator('main[data-step="elevate"]').waitFor();
  await enterPassword(page);
  await page.locator(codeStep).waitFor();
  await page.getByRole('button', passkeyButton).click();
  await expect(page.getByRole('heading', { name: words('account.heading') })).toBeFocused();
  await expect(page.locator('[data-passkey]')).toHaveCount(1);
});

test('a user in a browser without passkeys reads that another device is needed, and can start again', async ({
  page,
  browser,
}) => {
  await withoutList(page);
  await createPasskey(page, await addAuthenticator(page));
  await product.requireSecondFactor('harbor');
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
  await signInAtPortal(elsewhere, product);
  await elsewhere.locator(codeStep).waitFor();
  await expect(elsewhere.getByText(words('authenticator.passkeyUnsupported'))).toBeVisible();
  await expect(elsewhere.getByRole('button', passkeyButton)).toHaveCount(0);
  await elsewhere.locator('[data-action="start-again"]').click();
  await elsewhere.locator('main[data-step="credentials"]').waitFor();
  await elsewhere.context().close();
});

test('an employee whom the company signed in sees a limited account page, and the whole page after the own password', async ({
  page,
}) => {
  await goToCompany(page, product);
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(employee);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${product.demo.url}/**`);

  await openAccount(page);
  await expect(page.locator('[data-limited]')).toContainText(words('account.limited.why'));
  await expect(page.locator('[data-limited]')).toContainText(words('account.limited.ask'));
  await expect(page.locator('[data-action="download-data"]')).toHaveCount(0);
  expect(await findViolations(page)).toEqual([]);

  // gives the employee a password
  await product.admit(employee, 'harbor');
  await page.reload();
  await page.getByRole('link', { name: words('account.limited.prove') }).click();
  // the list of sites, of which one takes passwords
  await page.getByRole('button', { name: 'Harbor Trust' }).click();
  await page.getByLabel(words('login.password'), { exact: true }).waitFor();
  await enterPassword(page);
  await expect(page.getByRole('heading', { name: words('account.heading') })).toBeFocused();
  await expect(page.locator('[data-limited]')).toHaveCount(0);
  await expect(page.locator('[data-action="change-password"]')).toBeVisible();
});

test('a blocked site leads a user without a second factor to the account page', async ({ page }) => {
  await product.givePhone(demoUsers.director, null);
  await product.requireSecondFactor('summit');
  await signInAtPortal(page, product, { userName: demoUsers.director });
  await page.waitForURL(`${product.demo.url}/**`);
  await page.locator('[data-action="switch-site"]').click();
  await page.locator('main[data-step="select-site"]').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.locator('[data-action="set-up-second-factor"]').click();
  await expect(page.getByRole('heading', { name: words('account.heading') })).toBeFocused();
  await expect(page.locator('[data-action="set-up-app"]')).toBeVisible();
});
