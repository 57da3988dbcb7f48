import { expect, test } from './visit.ts';

// Attacks and faults, S08 and S09: hostile values in the address of the page.

test('with an invalid language, the page requests only existing files and uses the default language [S08]', async ({
  page,
  visit,
  scripted,
}) => {
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  for (const language of [
    '../../x',
    '__proto__',
    'constructor',
    'en"><img src=x>',
    'xx',
    'e'.repeat(7000),
    '',
  ]) {
    for (const way of ['address', 'cookie'] as const) {
      await page.context().clearCookies();
      if (way === 'cookie')
        await page.context().addCookies([
          {
            name: 'anteroom_locale',
            value: encodeURIComponent(language).slice(0, 3000),
            url: scripted.urls.service,
          },
        ]);
      await visit.open(
        '/account/login',
        way === 'address' ? { returnUrl: { requested_language: language } } : {},
      );
      await visit.step('credentials');
      expect(await page.locator('html').getAttribute('lang'), language).toBe('en');
      await expect(page.locator('main img[src="x"]')).toHaveCount(0);
    }
  }
  const words = new Set(requestedPaths.filter((path) => path.includes('/i18n/')));
  expect([...words]).toEqual(['/ui/assets/i18n/en-1.21.0.json']);
});

test('no part of an address appears in the page or the console [S09]', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  // without a redirect address the sign-out pages stay open, so that the test can examine them
  scripted.script.answer('getLogoutContext', { requiresConfirmation: true, showCancelButton: false });
  const canary = `zq'"<>\\x60{}<img src=canary onerror=globalThis.hit=1>`;
  const known = [
    'ReturnUrl',
    'logoutId',
    'errorId',
    'skip_splash',
    'skip_logout_delay',
    'requested_language',
  ];
  const unknown = Array.from({ length: 20 }, (_, index) => `unknown${index}`);
  const query = Object.fromEntries([...known, ...unknown].map((name) => [name, canary]));
  for (const path of [
    '/account/login',
    '/account/logout',
    '/account/logged-out',
    '/home/error',
    '/home/version',
    `/login-wizard/${encodeURIComponent(canary)}`,
  ]) {
    await visit.open(path, { query });
    await expect(page.locator('main[data-step]'), path).toBeVisible();
    await page.evaluate((fragment) => (location.hash = fragment), canary);
    await expect(page.locator('img[src="canary"]'), path).toHaveCount(0);
    expect(await page.evaluate(() => document.body.innerHTML), path).not.toContain('<img src=canary');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hit') as unknown), path).toBeUndefined();
  }
  expect(noise.filter((line) => line.includes('canary'))).toEqual([]);
  noise.splice(0);
});
