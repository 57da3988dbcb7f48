import { arrive, comeBack, signInUpToOffer } from '../fixtures/passkey-steps.ts';
import { tabTo } from '../fixtures/tab-to.ts';
import { expect, test } from '../fixtures/test.ts';
import { addAuthenticator } from '../fixtures/virtual-authenticator.ts';
import { words } from '../fixtures/words.ts';

// Passkeys in Chromium's virtual authenticator, with the real service.

test('a user gets one offer after password and code, creates a passkey, and signs in with the list of the field', async ({
  page,
  product,
}) => {
  const authenticator = await addAuthenticator(page);
  await signInUpToOffer(page, product);
  await expect(page.getByRole('heading', { name: words('passkey.heading') })).toBeFocused();
  await page.getByRole('button', { name: words('passkey.create') }).click();
  await arrive(page);
  expect(await authenticator.count()).toBe(1);

  // the authenticator chooses the passkey as soon as the list opens
  await comeBack(page, product);
  await arrive(page);
});

test('a keyboard user adds, renames and removes a passkey on the account page', async ({ page, product }) => {
  const authenticator = await addAuthenticator(page);
  await signInUpToOffer(page, product);
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

  await tabTo(page, '[data-action="remove-passkey"]');
  await page.keyboard.press('Enter');
  await expect(page.locator('main :focus')).toContainText(words('account.passkeys.removeQuestion'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(message).toHaveText(words('account.passkeys.removed'));
  await expect(page.locator('[data-passkey]')).toHaveCount(0);
  await expect(page.locator('[data-row="passkeys"] h3')).toBeFocused();
});
