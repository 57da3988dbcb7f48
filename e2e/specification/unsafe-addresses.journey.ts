import { siteNamed } from '@anteroom/testkit/scripted/opening-scene';
import type { Page } from '@playwright/test';
import { expect, test } from './visit.ts';
import type { Visit } from './visit.ts';

/** Addresses that no redirect or link must use: another scheme, or another host disguised as a path. */
const unsafe = [
  'javascript:globalThis.hit=1',
  ' javascript:globalThis.hit=1',
  'JaVaScRiPt:globalThis.hit=1',
  'java\nscript:globalThis.hit=1',
  'data:text/html,<script>globalThis.hit=1</script>',
  'blob:https://evil.invalid/1',
  'vbscript:hit',
  'file:///etc/passwd',
  'ftp://evil.invalid/',
  '//evil.invalid/x',
  '///evil.invalid/x',
  '/\\evil.invalid/x',
  '\\\\evil.invalid/x',
  '/\t/evil.invalid/x',
  '/\n/evil.invalid/x',
  '/..//evil.invalid/x',
  '/.//evil.invalid/x',
  '/%2e%2e//evil.invalid/x',
  'evil.invalid/x',
  '',
] as const;

/** One address of each kind, for slow tests; `web/src/addresses.test.ts` tests the function behind them with each address. */
const kinds = [
  'java\nscript:globalThis.hit=1',
  '//evil.invalid/x',
  '/\t/evil.invalid/x',
] as const satisfies readonly (typeof unsafe)[number][];

/** Records the requests of the page; the returned function expects that all went to the allowed origins. */
async function recordRequests(
  page: Page,
  visit: Visit,
  allowed: readonly string[],
): Promise<() => Promise<void>> {
  const forbidden: string[] = [];
  page.on('request', (request) => {
    if (!allowed.some((origin) => request.url().startsWith(origin))) forbidden.push(request.url());
  });
  await page.route(/evil\.invalid/, async (route) => route.abort());
  return async () => {
    expect(forbidden).toEqual([]);
    expect(visit.journeys.every((url) => allowed.some((origin) => url.startsWith(origin)))).toBe(true);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hit') as unknown)).toBeUndefined();
  };
}

test.afterEach(({ noise }) => {
  // the CSP also blocks such addresses and can report that
  noise.splice(0, noise.length, ...noise.filter((line) => !/Content Security Policy/.test(line)));
});

test('unsafe addresses: no location of select-site is followed, and the error page opens', async ({
  page,
  visit,
  scripted,
}) => {
  const expectNoHarm = await recordRequests(page, visit, Object.values(scripted.urls));
  visit.choosing();
  for (const location of kinds) {
    await test.step(JSON.stringify(location), async () => {
      scripted.script.answer('selectSite', { status: 'redirect', location });
      await visit.open();
      await visit.step('select-site');
      await page.locator('[data-site="harbor"] button').first().click();
      await visit.step('error');
      await expectNoHarm();
    });
  }
});

test('unsafe addresses: no location of the post-login redirect is followed', async ({
  page,
  visit,
  scripted,
}) => {
  const expectNoHarm = await recordRequests(page, visit, Object.values(scripted.urls));
  await page.clock.install();
  for (const location of kinds) {
    await test.step(JSON.stringify(location), async () => {
      scripted.script.answer('getPostLoginRedirect', { location });
      await visit.open();
      await visit.signIn();
      await expect
        .poll(async () => {
          await page.clock.runFor(1_000);
          return visit.stepNow();
        })
        .toBe('error');
      await expectNoHarm();
    });
  }
});

test('unsafe addresses: no cancel address becomes a link or a redirect of cancel, back or its route', async ({
  page,
  visit,
  scripted,
}) => {
  const expectNoHarm = await recordRequests(page, visit, Object.values(scripted.urls));
  for (const cancelRedirectUri of kinds) {
    await test.step(JSON.stringify(cancelRedirectUri), async () => {
      visit.signedIn({ promptMethod: 'elevate', cancelRedirectUri });
      await visit.open();
      await visit.step('elevate');
      await expect(visit.action('back-to-boards')).toHaveCount(0);
      await visit.open('/home/cancel-redirect-uri');
      await visit.step('error');
      visit.signedIn({ promptMethod: 'change_password', cancelRedirectUri });
      await visit.open();
      await visit.step('password-reset-voluntary');
      await visit.action('cancel').click();
      await visit.step('credentials');
      await expectNoHarm();
    });
  }
});

test('unsafe addresses: no address of the original client becomes a link', async ({
  page,
  visit,
  scripted,
}) => {
  const expectNoHarm = await recordRequests(page, visit, Object.values(scripted.urls));
  for (const originalClientUri of kinds) {
    visit.signedIn({ promptMethod: 'elevate', cancelRedirectUri: null, originalClientUri });
    await visit.open();
    await visit.step('elevate');
    await expect(visit.action('back-to-boards'), originalClientUri).toHaveCount(0);
  }
  await expectNoHarm();
});

test('unsafe addresses: no post-logout address is followed by cancel or after the sign-out', async ({
  page,
  visit,
  scripted,
}) => {
  const expectNoHarm = await recordRequests(page, visit, Object.values(scripted.urls));
  await page.clock.install();
  for (const postLogoutRedirectUri of kinds) {
    await test.step(JSON.stringify(postLogoutRedirectUri), async () => {
      scripted.script.answer('getLogoutContext', {
        requiresConfirmation: true,
        showCancelButton: true,
        postLogoutRedirectUri,
      });
      await visit.open('/account/logout', { query: { logoutId: 'lo-1' } });
      await visit.step('logout');
      if ((await visit.action('cancel').count()) > 0) await visit.action('cancel').click();
      await visit.open('/account/logout', { query: { logoutId: 'lo-1' } });
      await visit.action('sign-out').click();
      await visit.step('logged-out');
      await page.clock.runFor(5_000);
      await visit.step('logged-out');
      await expectNoHarm();
    });
  }
});

test('unsafe addresses: none is opened in the sign-out frame', async ({ page, visit, scripted }) => {
  const expectNoHarm = await recordRequests(page, visit, Object.values(scripted.urls));
  for (const signOutIFrameUrl of kinds) {
    scripted.script.answer('getLogoutContext', {
      requiresConfirmation: true,
      showCancelButton: false,
      signOutIFrameUrl,
    });
    await visit.open('/account/logout', { query: { logoutId: 'lo-1' } });
    await visit.action('sign-out').click();
    await visit.step('logged-out');
    await expect(page.locator('iframe'), signOutIFrameUrl).toHaveCount(0);
  }
  await expectNoHarm();
});

test('unsafe addresses: none becomes a recovery link', async ({ page, visit, scripted }) => {
  const expectNoHarm = await recordRequests(page, visit, Object.values(scripted.urls));
  for (const address of kinds) {
    visit.context({ forgotPasswordUrl: address });
    await visit.open();
    await visit.step('credentials');
    await expect(visit.action('forgot-credentials'), address).toHaveCount(0);
    visit.context({ identityServiceUrl: null, siteRecoveryClientUri: address });
    await visit.open();
    await visit.step('site-entry');
    await expect(visit.action('forgot-site'), address).toHaveCount(0);
  }
  await expectNoHarm();
});

test('unsafe addresses: a logo at an unsafe address is not loaded, and the default logo is shown', async ({
  page,
  visit,
  scripted,
}) => {
  const expectNoHarm = await recordRequests(page, visit, Object.values(scripted.urls));
  visit.choosing();
  scripted.script.answer('getSites', {
    sites: unsafe.map((logoPath, index) => ({ ...siteNamed(`s${index}`, `Board ${index}`), logoPath })),
    userFirstName: 'Dana',
    userLastName: 'Rivers',
    boardsUserName: 'drivers',
    directorToDoItemsEnabled: false,
  });
  await visit.open();
  await visit.step('select-site');
  await expect(page.locator('[data-site]')).toHaveCount(unsafe.length);
  for (const entry of await page.locator('[data-site]').all()) await entry.scrollIntoViewIfNeeded();
  const sources = await page
    .locator('[data-site] img')
    .evaluateAll((images) => images.map((image) => image.getAttribute('src') ?? ''));
  expect(sources.filter((source) => !/^(\/ui\/assets\/|$)/.test(source))).toEqual([]);
  await expectNoHarm();
});

test('unsafe addresses: none becomes a link of the configuration', async ({ page, visit, scripted }) => {
  const expectNoHarm = await recordRequests(page, visit, Object.values(scripted.urls));
  for (const address of kinds) {
    scripted.script.answer('getConfig', { globalSupportUrl: address, privacyPolicyBaseUrl: address });
    await visit.open();
    await visit.step('credentials');
    await expect(visit.action('global-support'), address).toHaveCount(0);
    await expect(
      page.locator('a[href*="evil"], a[href*="javascript" i], a[href^="data"]'),
      address,
    ).toHaveCount(0);
  }
  await expectNoHarm();
});

test('unsafe addresses: an identity service at an unsafe address is not called', async ({
  page,
  visit,
  scripted,
}) => {
  const expectNoHarm = await recordRequests(page, visit, Object.values(scripted.urls));
  for (const identityServiceUrl of kinds) {
    visit.context({ identityServiceUrl });
    await visit.open();
    await expect(page.locator('main[data-step]')).toBeVisible();
    await expectNoHarm();
  }
});

test('safe addresses: an absolute address and a path of the same origin are followed', async ({
  page,
  visit,
  scripted,
}) => {
  visit.choosing();
  for (const [location, url] of [
    [`${scripted.urls.application}/a//b?c=//d#e`, `${scripted.urls.application}/a//b?c=//d#e`],
    ['/connect/x?y=https://z.example', `${scripted.urls.service}/connect/x?y=https://z.example`],
  ] as const) {
    scripted.script.answer('selectSite', { status: 'redirect', location });
    await visit.open();
    await visit.step('select-site');
    await page.locator('[data-site="harbor"] button').first().click();
    await page.waitForURL(url);
  }
});
