import { demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { enterDirectorsCredentials, openCredentials, signInAtPortal } from '../fixtures/sign-in-at-portal.ts';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/test.ts';

async function signInDirector(page: Page, product: Product): Promise<void> {
  await openCredentials(page, product);
  await enterDirectorsCredentials(page, product);
  await expect(page.locator('[data-claim="site"]')).toHaveText('harbor');
}

test('a user with one board signs in without the list of boards', async ({ page, product }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await signInAtPortal(page, product);
  await expect(page.locator('[data-claim="site"]')).toHaveText('harbor');
  expect(requests).toContain('/api/ui/authenticate');
  expect(requests).not.toContain('/api/ui/sites');
});

test('a keyboard user reads the to-dos, presses a badge and switches to the board of a committee [2.64, 4.20]', async ({
  page,
  product,
}) => {
  await signInDirector(page, product);
  await page.getByRole('link', { name: 'Switch board' }).click();
  const entry = (name: string) => page.locator(`[data-site="${name}"]`);
  await expect(page.getByRole('heading', { name: words('selectSite.prompt') })).toBeVisible();
  await expect(page.locator('[data-group="northwind"] [data-site]')).toHaveCount(3);
  await expect(entry('northwind-audit').locator('[data-entitlement]')).toHaveText('Chair');
  await expect(entry('northwind-audit').locator('[data-todo="questionnaire"]')).toContainText('20+');
  await expect(entry('northwind').getByRole('button').first()).toHaveAccessibleName(
    `Select board Northwind Holdings, ${words('selectSite.newBook')}`,
  );
  await expect(entry('harbor').getByRole('button').first()).toHaveAccessibleName(
    `Select board Harbor Trust, ${words('selectSite.bookUpdate')}`,
  );
  await expect(entry('northwind').locator('[data-mark="newBook"]')).toBeVisible();
  await expect(entry('harbor').locator('[data-mark="bookUpdate"]')).toBeVisible();
  await expect(page.locator('main [aria-current]')).toHaveCount(1);
  await expect(entry('harbor')).toContainText(words('selectSite.here'));
  const badge = entry('northwind').locator('[data-todo]').first();
  await badge.focus();
  await page.keyboard.press('Enter');
  const answer = page.getByRole('button', { name: words('selectSite.open', { site: 'Northwind Holdings' }) });
  await expect(answer).toBeVisible();
  await expect(badge).toHaveAttribute('aria-expanded', 'true');
  await expect(badge).toBeFocused();
  await expect(page.locator('main')).not.toHaveAttribute('data-loading');
  await page.keyboard.press('Escape');
  await expect(answer).toHaveCount(0);

  await entry('harbor').getByRole('button').first().focus();
  await page.keyboard.type('northwindaudit');
  await expect(entry('northwind-audit').getByRole('button').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-claim="site"]')).toHaveText('northwind-audit');

  // the next sign-in uses the same board
  const access = { userName: demoUsers.director, site: 'northwind-audit' };
  await product.setEntitlement({ ...access, isMet: false });
  await page.getByRole('link', { name: 'Switch board' }).click();
  await expect(entry('northwind-audit')).toContainText(words('selectSite.errors.entitlements'));
  await expect(entry('northwind-audit')).toContainText('20+');
  await expect(entry('northwind-audit').locator('[data-todo]')).toHaveCount(0);
  await product.setEntitlement({ ...access, isMet: true });
  await page.locator('[data-action="back-to-boards"]').click();
  await expect(page).toHaveURL(new RegExp(`^${product.demo.url}/`));
  await expect(page.locator('[data-claim="site"]')).toHaveText('northwind-audit');
});

test('a user without a membership sees that there is no board, and signs out [7.8]', async ({
  page,
  product,
}) => {
  await signInAtPortal(page, product);
  await expect(page.locator('[data-claim="site"]')).toHaveText('harbor');
  await product.removeMember({ userName: demoUsers.secretary, site: 'harbor' });
  await page.getByRole('link', { name: 'Switch board' }).click();
  await expect(page.locator('main[data-step="error"]')).toBeVisible();
  await expect(page.getByRole('heading', { name: words('error.noBoards.heading') })).toBeVisible();
  await page.getByRole('button', { name: words('common.signOut') }).click();
  await expect(page).toHaveURL(/logged-out/);
});
