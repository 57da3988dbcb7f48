import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import { findViolations } from '../../fixtures/accessibility.ts';
import {
  arrive,
  comeBackWithPasskey,
  enterCode,
  passkeyButton,
  passkeyOffer,
  pressPasskeyButton,
  signInUpToOffer,
} from '../../fixtures/passkey-steps.ts';
import { signInAtPortal } from '../../fixtures/sign-in-at-portal.ts';
import { expect, test } from '../../fixtures/test.ts';
import { addAuthenticator } from '../../fixtures/virtual-authenticator.ts';
import { words } from '../../fixtures/words.ts';

// Passkeys with the button, declined, failing or missing, in other tabs and in another direction of writing.

test('a user signs in with the button, and the field of the user name offers passkeys', async ({
  page,
  product,
}) => {
  const authenticator = await comeBackWithPasskey(page, product);
  await page.getByRole('button', passkeyButton).waitFor();
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toHaveAttribute(
    'autocomplete',
    'username webauthn',
  );
  await pressPasskeyButton(page, authenticator);
  await arrive(page);
});

test('a user who declines the offer of a passkey signs in, and gets no offer at the next sign-in', async ({
  page,
  product,
}) => {
  const authenticator = await addAuthenticator(page);
  await signInUpToOffer(page, product);
  await page.getByRole('button', { name: words('passkey.notNow') }).click();
  await arrive(page);
  expect(await authenticator.count()).toBe(0);

  product.clock.advanceSeconds(24 * 60 * 60);
  await page.context().clearCookies();
  await signInAtPortal(page, product, { userName: demoUsers.director });
  await enterCode(page, product);
  await arrive(page);
});

test('a browser that cannot create a passkey goes from the code to the portal without the page of the offer', async ({
  page,
  product,
}) => {
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
  await signInAtPortal(page, product, { userName: demoUsers.director });
  await enterCode(page, product);
  await arrive(page);
  expect(visited).toContain('/ui/account/login');
  expect(visited).not.toContain('/ui/account/passkey');
});

test('a failed verification or a cancellation shows a message about the password, which works', async ({
  page,
  product,
}) => {
  const authenticator = await comeBackWithPasskey(page, product);
  await authenticator.setVerified(false);
  await pressPasskeyButton(page, authenticator);
  await expect(page.getByRole('alert').getByText(words('passkey.errors.cancelled'))).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoUsers.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn'), exact: true }).click();
  await arrive(page);
});

test('an unknown passkey is refused with a message that names another way to sign in', async ({
  page,
  product,
}) => {
  const authenticator = await comeBackWithPasskey(page, product);
  await page.getByRole('button', passkeyButton).waitFor();
  await product.removePasskeys();
  await pressPasskeyButton(page, authenticator);
  await expect(page.getByRole('alert').getByText(words('passkey.errors.unknown'))).toBeVisible();
});

test('two tabs have separate sign-ins, and the passkey works after one tab is closed', async ({
  page,
  product,
}) => {
  const authenticator = await comeBackWithPasskey(page, product);
  await page.getByRole('button', passkeyButton).waitFor();
  const other = await page.context().newPage();
  await other.goto(product.demo.url);
  await other.getByRole('link', { name: 'Sign in' }).click();
  await other.getByRole('button', passkeyButton).waitFor();
  await other.close();
  await pressPasskeyButton(page, authenticator);
  await arrive(page);
});

test('a passkey prompt answered after its expiry shows a message, and the next prompt succeeds', async ({
  page,
  product,
}) => {
  const authenticator = await comeBackWithPasskey(page, product);
  await page.route(
    '**/api/ui/passkey/sign-in',
    async (route) => {
      await authenticator.setPresent(false);
      product.clock.advanceSeconds(301);
      await route.continue();
    },
    { times: 1 },
  );
  await pressPasskeyButton(page, authenticator);
  await expect(page.getByRole('alert').getByText(words('passkey.errors.expired'))).toBeVisible();
  await pressPasskeyButton(page, authenticator);
  await arrive(page);
});

test('in Arabic the offer, the button and the account page are right-to-left', async ({
  browser,
  product,
}) => {
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
  await enterCode(page, product);
  await page.locator(passkeyOffer).waitFor();
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
