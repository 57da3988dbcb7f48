import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { arriveAt } from '../../fixtures/arrive.ts';
import { enterCredentials } from '../../fixtures/sign-in-at-portal.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

// Attacks and faults, S20, S21, F16 and F18: the state of a browser, shared with other tabs and other users.

async function openCredentials(page: Page, { demo }: Product): Promise<void> {
  await page.clock.install();
  await page.goto(demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  // a browser with a remembered site skips site entry
  const site = page.getByRole('textbox', { name: words('site.label') });
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  await site.or(userName).waitFor();
  if (!(await site.isVisible())) return;
  await site.fill('harbor');
  await page.getByRole('button', { name: words('common.continue') }).click();
  await userName.waitFor();
}

/** Expects the user's claims at the demo portal. */
async function expectSignedIn(page: Page, { demo }: Product): Promise<void> {
  await arriveAt(page, new RegExp(`^${demo.url}/`));
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
}

test('a sign-in succeeds with junk, duplicate and malformed cookies [S20]', async ({ page, product }) => {
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
    // excludes XSRF-TOKEN, because the service refuses a duplicate of the anti-forgery cookie
    ...names
      .filter((name) => name !== 'XSRF-TOKEN')
      .map((name) => ({ name, value: 'twice', domain: 'localhost', path: '/ui' })),
    ...Array.from({ length: 60 }, (_, index) => ({ name: `junk${index}`, value: 'x'.repeat(20), url })),
  ]);
  await openCredentials(page, product);
  await enterCredentials(page);
  await expectSignedIn(page, product);
});

test('the browser’s storage contains no data of a sign-in, before or after the sign-out [S21]', async ({
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
  await openCredentials(page, product);
  await enterCredentials(page);
  await expectSignedIn(page, product);
  await page.goto(`${url}/ui/account/logout`);
  await expect(page.locator('main[data-step="logout"]')).toBeVisible();
  const found: string[] = [await stored()];
  await page.locator('button[type="submit"]').click();
  await expect(page.locator('main[data-step="logged-out"]')).toBeVisible();
  found.push(await stored());
  for (const secret of [demoPassword, demoUsers.secretary, 'anteroom_session'])
    expect(found.join('\n')).not.toContain(secret);
  expect(
    await page
      .context()
      .cookies(url)
      .then((all) => all.some(({ name }) => /session/.test(name))),
  ).toBe(false);
});

test('after a sign-out in one tab the next action in another tab opens the sign-in [F16]', async ({
  page,
  product,
}) => {
  await openCredentials(page, product);
  const other = await page.context().newPage();
  await openCredentials(other, product);
  await enterCredentials(page);
  await expectSignedIn(page, product);
  // the other tab has a separate sign-in, which the first one did not finish
  await enterCredentials(other);
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

test('a sign-in succeeds with blocked storage and a page that an extension has changed [F18]', async ({
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
      // changes the page as password managers and translators do
      document.body.append(document.createElement('extension-overlay'));
      document.documentElement.classList.add('translated-ltr');
    });
  });
  await openCredentials(page, product);
  await page.evaluate(() => {
    for (const label of document.querySelectorAll('main label')) {
      const font = document.createElement('font');
      font.append(...label.childNodes);
      label.append(font);
    }
    document.querySelector('main input[name="userName"]')?.after(document.createElement('span'));
  });
  await enterCredentials(page);
  await expectSignedIn(page, product);
});

test('without cookies the sign-in ends on an error page that can start it again [F18]', async ({
  page,
  product,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
  });
  await openCredentials(page, product);
  await page.context().clearCookies();
  await enterCredentials(page);
  await expect(page.locator('main[data-step="error"]')).toBeVisible();
  await expect(page.getByRole('link', { name: words('error.startAgain') })).toBeVisible();
});

for (const [form, field] of [
  ['forgotten-password', 'userName'],
  ['forgotten-site', 'email'],
] as const)
  test(`without cookies a recovery form names the setting: ${form} [F18]`, async ({ page, product }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
    });
    await page.goto(`${product.identity.url}/ui/recovery/${form}`);
    await page.locator(`main input[name="${field}"]`).fill(demoUsers.secretary);
    await page.context().clearCookies();
    await page.locator('main button[type="submit"]').click();
    const { host } = new URL(product.identity.url);
    await expect(page.getByRole('alert')).toHaveText(words('error.cookies.subHeading', { host }));
    await expect(page.locator(`main input[name="${field}"]`)).toHaveValue(demoUsers.secretary);
  });
