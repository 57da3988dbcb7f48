import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { typeCode } from '../../fixtures/type-code.ts';
import { enterCredentials, openCredentials } from '../../fixtures/sign-in-at-portal.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

// WCAG 2.2.1: a visitor who exceeds a time limit reads why, loses only the password or code, and still reaches the
// destination.
// An unfinished sign-in is valid for 30 minutes, a code for 10, an idle session for 30.

const anHour = 60 * 60;
const longerThanACode = 11 * 60;

/** Signs in up to the code, and enters one after the given number of seconds. */
async function leaveTheCode(page: Page, product: Product, seconds: number): Promise<void> {
  await openCredentials(page, product);
  await enterCredentials(page, demoUsers.director);
  await page.locator('main[data-step="second-factor-required"]').waitFor();
  product.clock.advanceSeconds(seconds);
  await typeCode(page, '123456');
  await page.keyboard.press('Enter');
}

async function expectToBeToldAndAskedAgain(page: Page, why: string): Promise<void> {
  await expect(page.locator('[data-notification]')).toContainText(words(why));
  await expect(page.locator('main[data-step="credentials"]')).toBeVisible();
  const { pathname, searchParams } = new URL(page.url());
  expect(pathname).toBe('/ui/account/login');
  expect(searchParams.get('ReturnUrl')).toMatch(/^\/connect\/authorize\//);
  await expect(page.getByRole('heading', { level: 2 })).toContainText('Harbor Trust');
  await expect(page.getByLabel(words('login.password'), { exact: true })).toHaveValue('');
}

test('a visitor who leaves the sign-in open for an hour reads that it has expired, and can still sign in [8.1, WCAG 2.2.1]', async ({
  page,
  product,
}) => {
  await openCredentials(page, product);
  product.clock.advanceSeconds(anHour);
  await enterCredentials(page, demoUsers.secretary);
  await expectToBeToldAndAskedAgain(page, 'error.unauthorized');
  await enterCredentials(page, demoUsers.secretary);
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
});

test('a visitor who enters the code after eleven minutes reads that it has expired, and the name stays [WCAG 2.2.1]', async ({
  page,
  product,
}) => {
  await leaveTheCode(page, product, longerThanACode);
  await expectToBeToldAndAskedAgain(page, 'mfa.errors.mfaTokenExpired');
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toHaveValue(demoUsers.director);
});

for (const [link, step] of [
  ['Change password', 'password-reset-voluntary'],
  ['Switch board', 'select-site'],
] as const)
  test(`a signed-in user who leaves “${link}” open for an hour reads that the session has expired, and returns to it [8.1, WCAG 2.2.1]`, async ({
    page,
    product,
  }) => {
    await openCredentials(page, product);
    await enterCredentials(page, demoUsers.secretary);
    await page.getByRole('link', { name: link }).click();
    await page.locator(`main[data-step="${step}"]`).waitFor();
    const returnUrlBefore = new URL(page.url()).searchParams.get('ReturnUrl') ?? '';
    product.clock.advanceSeconds(anHour);
    if (step === 'select-site') await page.locator('[data-site="harbor"] button').first().click();
    else {
      await page.locator('input[name="currentPassword"]').fill(demoPassword);
      await page.locator('input[name="newPassword"]').fill('another quiet morning 75');
      await page.locator('input[name="newPasswordConfirmation"]').fill('another quiet morning 75');
      await page.locator('main button[type="submit"]').click();
    }
    await expectToBeToldAndAskedAgain(page, 'error.unauthorized');
    // a new sign-in for the same request of the application
    const returnUrlAfter = new URL(page.url()).searchParams.get('ReturnUrl') ?? '';
    expect(returnUrlAfter.split('?')[0]).not.toBe(returnUrlBefore.split('?')[0]);
    expect(returnUrlAfter.split('?')[1]).toBe(returnUrlBefore.split('?')[1]);
  });
