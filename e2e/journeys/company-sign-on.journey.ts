import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Page } from '@playwright/test';
import { findViolations } from '../fixtures/accessibility.ts';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/test.ts';

const employee = 'employee@corp.example';

/** Opens the sign-in form of a site's company from the demo portal. */
async function goToCompany(page: Page, demoUrl: string, email = employee): Promise<void> {
  await page.goto(demoUrl);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: words('site.label') }).fill('corp');
  await page.getByRole('button', { name: words('common.continue') }).click();
  await page.getByRole('textbox', { name: words('login.userName') }).fill(email);
  await page.getByRole('button', { name: words('common.continue') }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Corp Industries', level: 1 })).toBeVisible();
}

async function signInAtCompany(page: Page, email = employee): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(email);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function expectClaims(page: Page, demoUrl: string, email: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`^${demoUrl}/`));
  await expect(page.locator('[data-claim="email"]')).toHaveText(email);
  await expect(page.locator('[data-claim="amr"]')).toHaveText('fed');
}

async function signInOverCompany(page: Page, demoUrl: string): Promise<void> {
  await goToCompany(page, demoUrl);
  await signInAtCompany(page);
  await expectClaims(page, demoUrl, employee);
}

test('an employee signs in over their company with the keyboard, and the portal gets the claims [4.18]', async ({
  page,
  product,
}) => {
  await page.goto(product.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: words('site.label') })).toBeFocused();
  await page.keyboard.type('corp');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toBeFocused();
  await page.keyboard.type(employee);
  await page.keyboard.press('Enter');

  // the company's form has the user name of login_hint
  await expect(page.getByRole('textbox', { name: 'E-mail address' })).toHaveValue(employee);
  await expect(page.getByLabel('Password')).toBeFocused();
  await page.keyboard.type('not my password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText(/is incorrect/);
  await expect(page.getByLabel('Password')).toBeFocused();
  await page.keyboard.type(demoPassword);
  await page.keyboard.press('Enter');
  await expectClaims(page, product.demo.url, employee);
  await expect(page.locator('[data-claim="site"]')).toHaveText('corp');
});

test('a confirmation of identity prompts at the company even if its session is active', async ({
  page,
  product,
}) => {
  await signInOverCompany(page, product.demo.url);

  await page.getByRole('link', { name: 'Confirm it is you' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Corp Industries', level: 1 })).toBeVisible();
  await signInAtCompany(page);
  await expect(page.locator('[data-done="elevate"]')).toBeVisible();
  await expectClaims(page, product.demo.url, employee);
});

test('after a sign-out the service requests the name and the company the password [I09]', async ({
  page,
  product,
}) => {
  await signInOverCompany(page, product.demo.url);
  await page.getByRole('link', { name: 'Sign out' }).click();
  await expect(page.getByText('You are signed out.')).toBeVisible();
  expect((await page.request.get(`${product.identity.url}/api/ui/sites`)).status()).toBe(401);

  // the company's session has ended as well, so it requests the password
  await page.goto(`${product.demo.url}/go/sign-in?site=corp`);
  await page.getByRole('textbox', { name: words('login.userName') }).fill(employee);
  await page.getByRole('button', { name: words('common.continue') }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Corp Industries', level: 1 })).toBeVisible();
});

test('a sign-out at the company ends the sessions at the boards without a visit there [I09]', async ({
  page,
  product,
}) => {
  await signInOverCompany(page, product.demo.url);
  const boards = () =>
    page.request.get(`${product.identity.url}/api/ui/sites`).then((answer) => answer.status());
  expect(await boards()).toBe(200);
  await page.goto(`${product.demo.url}/company/session/end`);
  await expect(page.getByRole('heading', { name: 'Sign out of Corp Industries?' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'You are signed out of Corp Industries' })).toBeVisible();
  await expect.poll(boards).toBe(401);
});

test('the first sign-in of a company’s new employee creates the user', async ({ page, product }) => {
  await goToCompany(page, product.demo.url, 'trainee@corp.example');
  await signInAtCompany(page, 'trainee@corp.example');
  await expectClaims(page, product.demo.url, 'trainee@corp.example');
  await expect(page.getByRole('heading', { name: 'Good to see you, Tamsin' })).toBeVisible();
});

test('an e-mail address of another company is refused: the page shows it with the claim, and can start again [8.17]', async ({
  page,
  product,
}) => {
  const address = 'contractor@partner.example';
  await goToCompany(page, product.demo.url, address);
  expect(await findViolations(page)).toEqual([]);
  await signInAtCompany(page, address);
  await expect(page.locator('main')).toHaveAttribute('data-step', 'error');
  await expect(page.getByRole('heading', { name: words('error.userNotFound.heading') })).toBeVisible();
  const lines = page.locator('main dl');
  await expect(lines).toContainText('Email Address');
  await expect(lines).toContainText(address);
  await expect(lines).toContainText('Claim Name');
  await page.getByRole('link', { name: words('error.startAgain') }).click();
  await expect(page.locator('main')).toHaveAttribute('data-step', 'credentials');
});

test('an unverified e-mail address opens the page that requests its verification [2.16]', async ({
  page,
  product,
}) => {
  await goToCompany(page, product.demo.url, 'applicant@corp.example');
  await signInAtCompany(page, 'applicant@corp.example');
  await expect(page.locator('main')).toHaveAttribute('data-step', 'require-verified-login-email');
  await expect(
    page.getByRole('heading', { name: words('error.verifiedEmailRequired.heading') }),
  ).toBeVisible();
  await page.getByRole('link', { name: words('error.startAgain') }).click();
  await expect(page.locator('main')).toHaveAttribute('data-step', 'credentials');
});

test('at a site with passwords and a company, the domain of the e-mail address decides between them [4.17]', async ({
  page,
  product,
}) => {
  await product.connectSite('harbor');
  await page.goto(product.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: words('site.label') }).fill('harbor');
  await page.getByRole('button', { name: words('common.continue') }).click();
  const name = page.getByRole('textbox', { name: words('login.userName') });
  await name.fill(demoUsers.secretary);
  await page.getByRole('button', { name: words('common.continue') }).click();
  await expect(page.getByLabel(words('login.password'), { exact: true })).toBeVisible();

  await page.reload();
  await expect(name).toHaveValue(demoUsers.secretary);
  await name.fill(employee);
  await page.getByRole('button', { name: words('common.continue') }).click();
  await expect(page.getByRole('textbox', { name: 'E-mail address' })).toHaveValue(employee);
});

test('a switch from a board of a company to a board with passwords requires the password, also after Back; the reverse requires the company', async ({
  page,
  product,
}) => {
  const trainee = 'trainee@corp.example';
  await goToCompany(page, product.demo.url, trainee);
  await signInAtCompany(page, trainee);
  await expectClaims(page, product.demo.url, trainee);
  await product.admit(trainee, 'harbor');

  await page.getByRole('link', { name: 'Switch board' }).click();
  for (const comesBack of [true, false]) {
    await page.locator('[data-site="harbor"] button').click();
    await expect(page.locator('main')).toHaveAttribute('data-step', 'password-required');
    if (comesBack) await page.locator('[data-action="back"]').click();
  }
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.locator('main button[type="submit"]').click();
  await expect(page.locator('[data-claim="site"]')).toHaveText('harbor');
  await expect(page.locator('[data-claim="amr"]')).toHaveText('fed pwd');

  // the company's session is active, so it does not prompt
  await page.getByRole('link', { name: 'Switch board' }).click();
  await page.locator('[data-site="corp"] button').click();
  await expect(page.locator('[data-claim="site"]')).toHaveText('corp');
});

test('in Arabic on a narrow screen, a user signs in over the company', async ({ page, product }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${product.demo.url}/go/sign-in?language=ar&site=corp`);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('main')).toHaveAttribute('data-step', 'credentials');
  await page.locator('input[name="userName"]').fill('contractor@partner.example');
  await page.locator('main button[type="submit"]').click();
  await expect(page.getByRole('heading', { name: 'Sign in to Corp Industries', level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await signInAtCompany(page, 'contractor@partner.example');
  await expect(page.locator('main')).toHaveAttribute('data-step', 'error');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
