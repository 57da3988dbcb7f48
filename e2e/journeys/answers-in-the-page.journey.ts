import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/world-test.ts';

// The service puts the answers that the first screen asks for into the page; every later call is asked as before.

test('the form of a known site is there without a call, and a reload asks again', async ({ page, world }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/api\/|\.json$/.test(pathname)) asked.push(pathname);
  });
  await page.goto(`${world.demo.url}/go/sign-in?site=harbor`);
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  await expect(userName).toBeFocused();
  await expect(page.locator('[data-site-header]')).toContainText('Harbor Trust');
  expect(asked.filter((path) => path !== '/api/ui/metrics')).toEqual([]);

  await page.reload();
  await expect(userName).toBeFocused();
  expect(asked.filter((path) => path !== '/api/ui/metrics')).toEqual([]);
});

test('a visitor reads the page in the language that was chosen before, without a call for its texts', async ({
  page,
  context,
  world,
}) => {
  await context.addCookies([{ name: 'anteroom_locale', value: 'ar', url: world.identity.url }]);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${world.demo.url}/go/sign-in?site=harbor`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await expect(page.locator('main[data-step="credentials"]')).toBeVisible();
  expect(asked.filter((path) => path.includes('/assets/i18n/'))).toEqual([]);
});
