import type { Page } from '@playwright/test';
import { demoUsers } from '@anteroom/testkit/demo-users';
import { findViolations } from '../../fixtures/accessibility.ts';
import { countPresses, openBoardOffice, openConsole, proveAsOwner } from '../../fixtures/operator.ts';
import { expect, test } from '../../fixtures/test.ts';

/** Checks the screen with axe in both colour schemes, and that it is no wider than a telephone, a tablet or a laptop. */
async function expectSound(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  expect(await findViolations(page), page.url()).toEqual([]);
  for (const width of [390, 820, 1366]) {
    await page.setViewportSize({ width, height: 768 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${page.url()} at ${width} px`).toBeLessThanOrEqual(0);
  }
}

const officeScreens = [
  '/?search=demo',
  '/sites',
  '/new/sites',
  '/sites/harbor/people?do=add',
  '/sites/corp/sign-in',
  '/sites/harbor/activity',
  '/sites/harbor/settings',
  '/sites/harbor/settings?do=edit',
  '/sites/harbor/settings?do=remove',
  '/connections',
  '/new/connections',
  '/connections/corp',
  '/connections/corp?do=secret',
  '/clients',
  '/clients/director?do=edit',
  '/users',
  '/import/users',
  '/audit',
  '/roles?do=add',
  '/nothing/here',
];

test('every screen of an owner is accessible and fits its window', async ({ page, product }) => {
  await openConsole(page, product);
  await page.getByRole('heading', { name: 'Search' }).waitFor();
  await expectSound(page);
  for (const path of officeScreens) {
    await page.goto(`${product.identity.url}/console${path}`);
    await page.locator('h1').waitFor();
    await expectSound(page);
  }
  await page.goto(`${product.identity.url}/console/?search=${demoUsers.newcomer}`);
  await page.locator('tbody th a').first().click();
  await page.locator('[data-verdict]').waitFor();
  const user = page.url();
  await page.locator('main details summary').click();
  await expectSound(page);
  for (const panel of ['details', 'disable', 'lost-phone', 'remove']) {
    await page.goto(`${user}?do=${panel}`);
    await page.locator('main section h2').first().waitFor();
    await expectSound(page);
  }
});

test('the results of a test and of a new application fit their window', async ({ page, product }) => {
  await openConsole(page, product, '/connections/corp');
  await page.locator('main button:text-is("Test")').click();
  await page.locator('main li').first().waitFor();
  await expectSound(page);
  await page.goto(`${product.identity.url}/console/new/clients`);
  await page.locator('[name="id"]').fill('nightly');
  await page.locator('[name="displayName"]').fill('Nightly import');
  await page.locator('form summary').click();
  await page.locator('[name="redirectUris"]').fill('http://localhost:9/callback');
  await page.locator('form button[type="submit"]').click();
  await page.locator('[role="status"] code').waitFor();
  await expectSound(page);
});

test('the screens of the board office are accessible in Arabic', async ({ page, product }) => {
  await openBoardOffice(page, product);
  await page.getByRole('heading', { name: 'Harbor Trust' }).waitFor();
  await page.locator('header select').selectOption('ar');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expectSound(page);
  await page.locator('main tbody th a').first().click();
  await page.locator('[data-verdict]').waitFor();
  await expectSound(page);
  for (const part of ['activity', 'sign-in', 'people?do=add']) {
    await page.goto(`${product.identity.url}/console/sites/harbor/${part}`);
    await page.locator('h1').waitFor();
    await expectSound(page);
  }
});

test('the pages of a board fit 320 pixels', async ({ page, product }) => {
  await openConsole(page, product, '/sites/harbor/people');
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(page.locator('[data-row]').first()).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect(await findViolations(page)).toEqual([]);
});

test('an owner replaces the client secret of a connection', async ({ page, product }) => {
  await openConsole(page, product, '/connections/corp');
  const job = countPresses(page);
  await job.press('[data-opens="secret"]');
  await expect(page.locator('input[name="secret"]')).toBeFocused();
  await page.keyboard.type('secret-of-corp');
  await page.keyboard.press('Enter');
  await expect(page.getByText('A client secret is stored. It is never shown.')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeFocused();
  expect(await page.content()).not.toContain('secret-of-corp');
});

test('a form keeps what was typed while its user proves who it is, in another tab', async ({
  page,
  product,
}) => {
  await openConsole(page, product, '/new/sites');
  await page.locator('input[name="name"]').fill('kept');
  await page.locator('input[name="displayName"]').fill('Kept Trust');
  product.clock.advanceSeconds(11 * 60);
  await page.locator('form button[type="submit"]').press('Enter');
  const link = page.locator('[role="alert"] a');
  await expect(link).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  const opening = page.waitForEvent('popup');
  await link.press('Enter');
  await proveAsOwner(await opening, product);
  await expect(page.locator('form [role="status"]')).toBeFocused();
  await expect(page.locator('input[name="displayName"]')).toHaveValue('Kept Trust');
  await page.locator('form button[type="submit"]').press('Enter');
  await expect(page.getByRole('heading', { name: 'Kept Trust' })).toBeVisible();
});
