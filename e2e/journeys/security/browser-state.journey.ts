import { demoPassword, demoPeople } from '@anteroom/testkit/demo-people';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { arriveAt } from '../../fixtures/arrive.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/product-test.ts';

// Attacks and faults, S20, S21, F16 and F18: what stands in a browser, and what other tabs and other people do with it.

async function comeToCredentials(page: Page, { demo }: Product): Promise<void> {
  await page.clock.install();
  await page.goto(demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  // a browser that remembers its site is not asked for it
  const site = page.getByRole('textbox', { name: words('site.label') });
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  await site.or(userName).waitFor();
  if (!(await site.isVisible())) return;
  await site.fill('harbor');
  await page.getByRole('button', { name: words('common.continue') }).click();
  await userName.waitFor();
}

async function giveCredentials(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoPeople.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn') }).click();
}

/** The demo portal knows who it is. */
async function expectSignedIn(page: Page, { demo }: Product): Promise<void> {
  await arriveAt(page, new RegExp(`^${demo.url}/`));
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoPeople.secretary);
}

test('S20: junk, doubled and malformed cookies of ours keep nobody from signing in', async ({
  page,
  product,
}) => {
  const { url } = product.identity;
  const names = [
    'anteroom_session',
    'anteroom_site',
    'anteroom_locale',
    'anteroom_theme',
    'anteroom_notice',
    'XSRF-TOKEN',
  ];
  await page.context().addCookies([
    ...names.map((name) => ({ name, value: '%E0%A4%A', url })),
    // but for XSRF-TOKEN, whose name the contract fixes: a doubled one is refused, which is what it is for
    ...names
      .filter((name) => name !== 'XSRF-TOKEN')
      .map((name) => ({ name, value: 'twice', domain: 'localhost', path: '/ui' })),
    ...Array.from({ length: 60 }, (_, index) => ({ name: `junk${index}`, value: 'x'.repeat(20), url })),
  ]);
  await comeToCredentials(page, product);
  await giveCredentials(page);
  await expectSignedIn(page, product);
});

test('S21: nothing of a sign-in is in the browser’s storage, before or after the sign-out', async ({
  page,
  product,
}) => {
  const { url } = product.identity;
  const stored = async (): Promise<string> =>
    page.evaluate(async () =>
      JSON.stringify([
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        await indexedDB.databases(),
        await caches.keys().catch(() => []),
        history.state,
        document.cookie,
        location.href,
      ]),
    );
  await comeToCredentials(page, product);
  await giveCredentials(page);
  await expectSignedIn(page, product);
  await page.goto(`${url}/ui/account/logout`);
  await expect(page.locator('main[data-step="logout"]')).toBeVisible();
  const found: string[] = [await stored()];
  await page.locator('button[type="submit"]').click();
  await expect(page.locator('main[data-step="logged-out"]')).toBeVisible();
  found.push(await stored());
  for (const secret of [demoPassword, demoPeople.secretary, 'anteroom_session'])
    expect(found.join('\n')).not.toContain(secret);
  expect(
    await page
      .context()
      .cookies(url)
      .then((all) => all.some(({ name }) => /session/.test(name))),
  ).toBe(false);
});

test('F16: a sign-out in one tab is noticed by the other at its next action, which leads to the sign-in', async ({
  page,
  product,
}) => {
  await comeToCredentials(page, product);
  const other = await page.context().newPage();
  await comeToCredentials(other, product);
  await giveCredentials(page);
  await expectSignedIn(page, product);
  // the other tab's sign-in is its own: finishing the first one has not taken it along, nor does it end as somebody else
  await giveCredentials(other);
  await expectSignedIn(other, product);

  await page.getByRole('link', { name: 'Switch board' }).click();
  await page.locator('main[data-step="select-site"]').waitFor();
  await other.goto(`${product.identity.url}/ui/account/logout`);
  await other.locator('button[type="submit"]').click();
  await other.locator('main[data-step="logged-out"]').waitFor();

  await page.locator('[data-site] button').first().click();
  await expect(page.locator('main[data-step]:not([data-step="select-site"])')).toBeVisible();
  await expect(page.locator('[data-claim]')).toHaveCount(0);
});

test('F18: where storage is blocked, and an extension has rewritten the page, somebody still signs in', async ({
  page,
  product,
}) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    addEventListener('DOMContentLoaded', () => {
      // what a password manager and a translator do
      document.body.append(document.createElement('extension-overlay'));
      document.documentElement.classList.add('translated-ltr');
    });
  });
  await comeToCredentials(page, product);
  await page.evaluate(() => {
    for (const label of document.querySelectorAll('main label')) {
      const font = document.createElement('font');
      font.append(...label.childNodes);
      label.append(font);
    }
    document.querySelector('main input[name="userName"]')?.after(document.createElement('span'));
  });
  await giveCredentials(page);
  await expectSignedIn(page, product);
});

test('F18: where the browser keeps no cookies the sign-in ends on a page that says so and leads to its beginning', async ({
  page,
  product,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
  });
  await comeToCredentials(page, product);
  await page.context().clearCookies();
  await giveCredentials(page);
  await expect(page.locator('main[data-step="error"]')).toBeVisible();
  await expect(page.getByRole('link', { name: words('error.startAgain') })).toBeVisible();
});
