import type { Product } from '@anteroom/testkit';
import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Page } from '@playwright/test';
import { findViolations } from '../fixtures/accessibility.ts';
import { readMessages } from '../fixtures/mails.ts';
import { signInAtPortal } from '../fixtures/sign-in-at-portal.ts';
import { tabTo } from '../fixtures/tab-to.ts';
import { expect, test } from '../fixtures/test.ts';
import { addAuthenticator, withoutList } from '../fixtures/virtual-authenticator.ts';
import type { Authenticator } from '../fixtures/virtual-authenticator.ts';
import { words } from '../fixtures/words.ts';

// Passkeys in Chromium's virtual authenticator, with the real service.

let product: Product;
test.beforeEach(({ product: started }) => {
  product = started;
});

const directorsPhone = '+442079460142';
const offer = 'main[data-step="passkey"]';
const button = { name: words('passkey.signIn') };

async function enterCode(page: Page): Promise<void> {
  await page.locator('main[data-step="second-factor-required"]').waitFor();
  const [newest] = await readMessages(product, directorsPhone);
  await page.locator('input[name="code-1"]').click();
  await page.keyboard.type(newest?.code ?? '');
  await page.keyboard.press('Enter');
}

/** Waits until the portal shows a signed-in user. */
async function arrive(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: 'Sign out' })
    .or(page.getByRole('button', { name: 'Sign out' }))
    .waitFor();
}

/** Signs in with a password and a code, up to the offer of a passkey. */
async function signInUpToOffer(page: Page): Promise<void> {
  await signInAtPortal(page, product, { userName: demoUsers.director });
  await enterCode(page);
  await page.locator(offer).waitFor();
}

async function enrol(page: Page): Promise<void> {
  await signInUpToOffer(page);
  await page.getByRole('button', { name: words('passkey.create') }).click();
  await arrive(page);
}

/**
 * Presses the button and simulates the touch only from then on, so that the passkey list of the field does not use it.
 */
async function press(page: Page, { setPresent }: Authenticator): Promise<void> {
  await page.getByRole('button', button).waitFor();
  await setPresent(true);
  await page.getByRole('button', button).click();
}

/** Deletes all cookies except the remembered site, so that a new sign-in starts at the credentials. */
async function comeBack(page: Page): Promise<void> {
  const kept = (await page.context().cookies()).filter(({ name }) => name === 'anteroom_site');
  await page.context().clearCookies();
  await page.context().addCookies(kept);
  await page.goto(product.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
}

test('a user gets one offer after password and code, creates a passkey, and signs in with the list of the field', async ({
  page,
}) => {
  const authenticator = await addAuthenticator(page);
  await signInUpToOffer(page);
  await expect(page.getByRole('heading', { name: words('passkey.heading') })).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: words('passkey.create') }).click();
  await arrive(page);
  expect(await authenticator.count()).toBe(1);

  // the authenticator chooses the passkey as soon as the list opens
  await comeBack(page);
  await arrive(page);
});

test('a user signs in with the button, and the field of the user name offers passkeys', async ({ page }) => {
  const authenticator = await addAuthenticator(page);
  await enrol(page);
  await authenticator.setPresent(false);
  await comeBack(page);
  await page.getByRole('button', button).waitFor();
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toHaveAttribute(
    'autocomplete',
    'username webauthn',
  );
  expect(await findViolations(page)).toEqual([]);
  await press(page, authenticator);
  await arrive(page);
});

test('a user who declines the offer of a passkey signs in, and gets no offer at the next sign-in', async ({
  page,
}) => {
  const authenticator = await addAuthenticator(page);
  await signInUpToOffer(page);
  await page.getByRole('button', { name: words('passkey.notNow') }).click();
  await arrive(page);
  expect(await authenticator.count()).toBe(0);

  product.clock.advanceSeconds(24 * 60 * 60);
  await page.context().clearCookies();
  await signInAtPortal(page, product, { userName: demoUsers.director });
  await enterCode(page);
  await arrive(page);
});

test('a device without a platform authenticator gets no offer of a passkey', async ({ page }) => {
  await signInAtPortal(page, product, { userName: demoUsers.director });
  await enterCode(page);
  await arrive(page);
});

test('a failed verification or a cancellation shows a message about the password, which works', async ({
  page,
}) => {
  await withoutList(page);
  const authenticator = await addAuthenticator(page);
  await enrol(page);
  await authenticator.setPresent(false);
  await authenticator.setVerified(false);
  await comeBack(page);
  await press(page, authenticator);
  await expect(page.getByRole('alert').getByText(words('passkey.errors.cancelled'))).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoUsers.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn'), exact: true }).click();
  await arrive(page);
});

test('an unknown passkey is refused with a message that names another way to sign in', async ({ page }) => {
  await withoutList(page);
  const authenticator = await addAuthenticator(page);
  await enrol(page);
  await authenticator.setPresent(false);
  await comeBack(page);
  await page.getByRole('button', button).waitFor();
  await product.removePasskeys();
  await press(page, authenticator);
  await expect(page.getByRole('alert').getByText(words('passkey.errors.unknown'))).toBeVisible();
});

test('two tabs have separate sign-ins, and the passkey works after one tab is closed', async ({ page }) => {
  const authenticator = await addAuthenticator(page);
  await enrol(page);
  await authenticator.setPresent(false);
  await comeBack(page);
  await page.getByRole('button', button).waitFor();
  const other = await page.context().newPage();
  await other.goto(product.demo.url);
  await other.getByRole('link', { name: 'Sign in' }).click();
  await other.getByRole('button', button).waitFor();
  await other.close();
  await press(page, authenticator);
  await arrive(page);
});

test('a passkey prompt answered after its expiry shows a message, and the next prompt succeeds', async ({
  page,
}) => {
  await withoutList(page);
  const authenticator = await addAuthenticator(page);
  await enrol(page);
  await authenticator.setPresent(false);
  await comeBack(page);
  await page.route(
    '**/api/ui/passkey/sign-in',
    async (route) => {
      await authenticator.setPresent(false);
      product.clock.advanceSeconds(301);
      await route.continue();
    },
    { times: 1 },
  );
  await press(page, authenticator);
  await expect(page.getByRole('alert').getByText(words('passkey.errors.expired'))).toBeVisible();
  await press(page, authenticator);
  await arrive(page);
});

test('in Arabic the offer, the button and the account page are right-to-left', async ({ browser }) => {
  const page = await (await browser.newContext({ locale: 'ar-EG' })).newPage();
  const authenticator = await addAuthenticator(page);
  await page.goto(product.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.locator('input[name="site"]').fill('harbor');
  await page.keyboard.press('Enter');
  await page.locator('input[name="userName"]').fill(demoUsers.director);
  await page.locator('input[name="password"]').fill(demoPassword);
  await page.locator('[data-action="use-passkey"]').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await enterCode(page);
  await page.locator(offer).waitFor();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  expect(await findViolations(page)).toEqual([]);
  await page.locator('[data-action="create-passkey"]').click();
  await arrive(page);
  expect(await authenticator.count()).toBe(1);

  await page.goto(`${product.identity.url}/ui/account`);
  await page.locator('[data-action="rename-passkey"]').click();
  await page.locator('input[name="name"]').fill('حاسوب العمل');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-passkey]')).toContainText('حاسوب العمل');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  expect(await findViolations(page)).toEqual([]);
  await page.context().close();
});

test('a keyboard user adds, renames and removes a passkey on the account page', async ({ page }) => {
  const authenticator = await addAuthenticator(page);
  await signInUpToOffer(page);
  await page.getByRole('button', { name: words('passkey.notNow') }).click();
  await arrive(page);
  await page.goto(`${product.identity.url}/ui/account`);
  const message = page.locator('[data-banner]');

  await tabTo(page, '[data-action="create-passkey"]');
  await page.keyboard.press('Enter');
  await expect(message).toHaveText(words('account.passkeys.added'));
  expect(await authenticator.count()).toBe(1);

  await tabTo(page, '[data-action="rename-passkey"]');
  await page.keyboard.press('Enter');
  const name = page.getByRole('textbox', { name: words('account.passkeys.name') });
  await expect(name).toBeFocused();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await expect(page.getByText(words('account.passkeys.nameRequired'))).toBeVisible();
  await expect(name).toBeFocused();
  await page.keyboard.type('Work laptop');
  await page.keyboard.press('Enter');
  await expect(message).toHaveText(words('account.passkeys.renamed'));
  await expect(page.locator('[data-passkey]')).toContainText('Work laptop');
  expect(await findViolations(page)).toEqual([]);

  await tabTo(page, '[data-action="remove-passkey"]');
  await page.keyboard.press('Enter');
  await expect(page.getByText(words('account.passkeys.removeQuestion'))).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(message).toHaveText(words('account.passkeys.removed'));
  await expect(page.locator('[data-passkey]')).toHaveCount(0);
  await expect(page.locator('[data-row="passkeys"]')).toBeFocused();
});
