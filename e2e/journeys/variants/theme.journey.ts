import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestProduct } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { distFolder } from '../../../tools/front-end.ts';
import { writeThemedCopy } from '../../../web/theme/themed-copy.ts';
import { findViolations } from '../../fixtures/accessibility.ts';
import { expect, test } from '../../fixtures/test.ts';
import { words } from '../../fixtures/words.ts';

// The service serves a themed copy of the front end, without another build.

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32" width="96" height="32"><rect width="96" height="32"/></svg>';
const theme = {
  productName: 'Harbor & Co',
  logo: 'logo.svg',
  colours: {
    light: { accent: '#5b2a86', 'accent-strong': '#43206b', 'accent-soft': '#f1eaf7' },
    dark: { accent: '#c9a7eb', 'on-accent': '#1d0b2e' },
  },
  texts: { en: { 'login.signIn': 'Enter the boardroom' }, ar: { 'login.signIn': 'ادخل إلى المجلس' } },
};

test('the pages have the colours, the logo, the name and the texts of a theme', async ({
  page,
  context,
  addCleanup,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-theme-'));
  addCleanup(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'theme.json'), JSON.stringify(theme));
  writeFileSync(join(folder, 'logo.svg'), drawing);
  const copy = join(folder, 'copy');
  const withoutShells = await writeThemedCopy(
    { theme: join(folder, 'theme.json'), build: distFolder, version: '0' },
    copy,
  );
  expect(withoutShells).toEqual(['en', 'ar']);
  const product = await startTestProduct({ WEB_DIST: join(copy, 'files') });
  addCleanup(() => product.close());

  const open = async (locale: string): Promise<void> => {
    await context.addCookies([{ name: 'anteroom_locale', value: locale, url: product.identity.url }]);
    await page.goto(`${product.demo.url}/go/sign-in?site=harbor`);
  };
  for (const [locale, button] of [
    ['en', theme.texts.en['login.signIn']],
    ['ar', theme.texts.ar['login.signIn']],
  ] as const) {
    await page.emulateMedia({ colorScheme: 'light' });
    await open(locale);
    const submit = page.getByRole('button', { name: button });
    await expect(submit).toHaveCSS('background-color', 'rgb(91, 42, 134)');
    await expectBrand(page);
    expect(await findViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(submit).toHaveCSS('background-color', 'rgb(201, 167, 235)');
  }

  // A language whose texts the theme does not change has its form in the page, which the application hydrates.
  const gate = Promise.withResolvers<void>();
  await page.route('**/ui/assets/app/*.js', async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto('about:blank');
  await context.addCookies([{ name: 'anteroom_locale', value: 'de', url: product.identity.url }]);
  await page.goto(`${product.demo.url}/go/sign-in?site=harbor`, { waitUntil: 'commit' });
  await expect(page.locator('#root[data-shell] main form')).toBeVisible();
  await expectBrand(page);
  await page.locator('h1').evaluate((heading) => heading.setAttribute('data-mark', ''));
  gate.resolve();
  await expect(page.locator('#root[data-shell]')).toHaveCount(0);
  await expect(page.locator('h1')).toHaveAttribute('data-mark');
  await expect(
    page.getByRole('button', { name: words('login.signIn', {}, 'de'), exact: true }),
  ).toBeVisible();
  await expectBrand(page);

  // The splash shows the logo before any script has loaded.
  const splash = new URL(page.url());
  splash.searchParams.delete('skip_splash');
  await page.goto(splash.href, { waitUntil: 'commit' });
  await expect(page.locator('[data-splash] img')).toHaveJSProperty('naturalWidth', 96);
  await expectBrand(page);
});

async function expectBrand(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(theme.productName);
  await expect(page.locator('h1 img')).toHaveJSProperty('naturalWidth', 96);
  await expect(page).toHaveTitle(/· Harbor & Co$/);
}
