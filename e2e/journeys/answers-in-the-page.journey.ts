import { signInAtPortal } from '../fixtures/sign-in-at-portal.ts';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/test.ts';

// The service embeds the answers of the first calls in the page; all later calls go to the service.

/** The calls of the first screen. Passkeys and metrics, which come after the form, have calls of their own. */
const firstCalls =
  /^\/api\/ui\/(auth-context|auth\/settings\/site)$|^\/ui\/(config|assets\/i18n\/[^/]+)\.json$/;

test('the form of a known site needs no call, and a reload gets new answers', async ({ page, product }) => {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (firstCalls.test(pathname)) requests.push(pathname);
  });
  await page.goto(`${product.demo.url}/go/sign-in?site=harbor`);
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  await expect(userName).toBeFocused();
  await expect(page.locator('[data-site-header]')).toContainText('Harbor Trust');
  expect(requests).toEqual([]);

  await page.reload();
  await expect(userName).toBeFocused();
  expect(requests).toEqual([]);
});

test('the page has the language that the visitor chose before, without a call for its texts', async ({
  page,
  context,
  product,
}) => {
  await context.addCookies([{ name: 'anteroom_locale', value: 'ar', url: product.identity.url }]);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto(`${product.demo.url}/go/sign-in?site=harbor`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await expect(page.locator('main[data-step="credentials"]')).toBeVisible();
  expect(requests.filter((path) => path.includes('/assets/i18n/'))).toEqual([]);
});

test('the account page of a signed-in user needs no call', async ({ page, product }) => {
  await signInAtPortal(page, product);
  await page.waitForURL(`${product.demo.url}/**`);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.locator('[data-action="account"]').click();
  await expect(page.getByRole('heading', { name: words('account.heading') })).toBeFocused();
  await expect(page.locator('[data-activity] li').first()).toBeVisible();
  expect(requests.filter((path) => /^\/api\/|\.json$/.test(path))).toEqual([]);
});

test('the list of sites needs no call but those for to-dos', async ({ page, product }) => {
  await signInAtPortal(page, product);
  await page.waitForURL(`${product.demo.url}/**`);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.locator('[data-action="switch-site"]').click();
  await expect(page.locator('[data-site="harbor"]')).toBeVisible();
  expect(requests.filter((path) => /^\/api\/|\.json$/.test(path) && !path.endsWith('/todo'))).toEqual([]);
});

test('a recovery page needs no call, and requests its files before the application has loaded', async ({
  page,
  product,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const hold = Promise.withResolvers<void>();
  await page.route('**/assets/app/app-*.js', async (route) => {
    await hold.promise;
    await route.continue();
  });
  const part = page.waitForRequest('**/start-recovery-*.js');
  await page.goto(`${product.identity.url}/ui/recovery/forgotten-site`, { waitUntil: 'commit' });
  await part;
  hold.resolve();
  await expect(page.locator('main form input').first()).toBeFocused();
  expect(requests.filter((path) => /^\/api\/|\.json$/.test(path))).toEqual([]);
});

test('a visitor without JavaScript gets instructions in the language of the browser', async ({
  browser,
  product,
}) => {
  for (const [locale, direction] of [
    ['ja', 'ltr'],
    ['ar', 'rtl'],
  ] as const) {
    const context = await browser.newContext({ javaScriptEnabled: false, locale });
    const page = await context.newPage();
    await page.goto(`${product.demo.url}/go/sign-in?site=harbor`);
    const shown = await page
      .locator('noscript')
      .evaluate((element) => [element.textContent, getComputedStyle(element).direction]);
    expect(shown).toEqual([words('noscript.signIn', {}, locale), direction]);
    await context.close();
  }
});
