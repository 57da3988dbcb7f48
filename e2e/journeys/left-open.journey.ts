import { demoPassword, demoPeople } from '@anteroom/testkit/demo-people';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { typeCode } from '../fixtures/type-code.ts';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/test.ts';

// WCAG 2.2.1: a visitor who exceeds a time limit reads why, loses only the password or code, and still reaches the
// destination.
// An unfinished sign-in is valid for 30 minutes, a code for 10, an idle session for 30.

const anHour = 60 * 60;
const longerThanACode = 11 * 60;

/** Opens the credentials form from the board portal. */
async function openCredentials(page: Page, { demo }: Product): Promise<void> {
  await page.goto(demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await giveSite(page);
}

async function giveSite(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: words('site.label') }).fill('harbor');
  await page.getByRole('button', { name: words('common.continue') }).click();
  await page.locator('main[data-step="credentials"]').waitFor();
}

async function enterCredentials(page: Page, userName: string): Promise<void> {
  await page.getByRole('textbox', { name: words('login.userName') }).fill(userName);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn') }).click();
}

/** Signs in up to the code, and enters one after the given number of seconds. */
async function leaveTheCode(page: Page, product: Product, seconds: number): Promise<void> {
  await openCredentials(page, product);
  await enterCredentials(page, demoPeople.director);
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

test('a visitor who leaves the sign-in open for an hour reads that it has expired, and can still sign in', async ({
  page,
  product,
}) => {
  await openCredentials(page, product);
  product.clock.advanceSeconds(anHour);
  await enterCredentials(page, demoPeople.secretary);
  await expectToBeToldAndAskedAgain(page, 'error.unauthorized');
  await enterCredentials(page, demoPeople.secretary);
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoPeople.secretary);
});

test('a visitor who enters the code after eleven minutes reads that it has expired, and the name stays', async ({
  page,
  product,
}) => {
  await leaveTheCode(page, product, longerThanACode);
  await expectToBeToldAndAskedAgain(page, 'mfa.errors.mfaTokenExpired');
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toHaveValue(demoPeople.director);
});

test('a visitor who enters the code after an hour reads that the sign-in has expired', async ({
  page,
  product,
}) => {
  await leaveTheCode(page, product, anHour);
  await expectToBeToldAndAskedAgain(page, 'error.unauthorized');
});

for (const [link, step] of [
  ['Change password', 'password-reset-voluntary'],
  ['Switch board', 'select-site'],
] as const)
  test(`a signed-in user who leaves “${link}” open for an hour reads that the session has expired, and returns to it`, async ({
    page,
    product,
  }) => {
    await openCredentials(page, product);
    await enterCredentials(page, demoPeople.secretary);
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
