import { logoutContextAt } from '@anteroom/testkit/scripted/opening-scene';
import type { CallAnswer } from '@anteroom/contract';
import { expect, test } from './visit.ts';
import type { Visit } from './visit.ts';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import { wordsPattern } from '../fixtures/words.ts';

/** Opens the page with this logout context. */
async function openLogout(
  visit: Visit,
  { script, urls }: ScriptedIdentity,
  more: Partial<CallAnswer<'getLogoutContext'>> = {},
  query: Record<string, string> = {},
): Promise<void> {
  const context = { ...logoutContextAt(urls), ...more };
  const isCancellable = context.requiresConfirmation && context.postLogoutRedirectUri != null;
  // a cancel button requires a sign-in to cancel and a cancel address
  script.answer('getLogoutContext', {
    ...context,
    showCancelButton: context.showCancelButton && isCancellable,
  });
  await visit.open('/account/logout', { query: { logoutId: 'lo 7/7', ...query } });
}

test('logout: the confirmation has a heading, a sign-out button and a cancel button, and makes no call of the sign-in', async ({
  page,
  visit,
  scripted,
}) => {
  await openLogout(visit, scripted);
  await visit.step('logout');
  await expect(page.getByRole('heading', { name: wordsPattern('logout.heading') })).toBeVisible();
  await expect(visit.action('sign-out')).toHaveCount(1);
  await expect(visit.action('cancel')).toHaveCount(1);
  const { input } = await visit.called('getLogoutContext');
  expect(input.query).toEqual({ logoutId: 'lo 7/7' });
  expect(scripted.received('getLogoutContext')).toHaveLength(1);
  expect(scripted.received('signOut')).toHaveLength(0);
});

test('logout: the cancel button shows only if the service allows it', async ({ visit, scripted }) => {
  await openLogout(visit, scripted, { showCancelButton: false });
  await visit.step('logout');
  await expect(visit.action('sign-out')).toHaveCount(1);
  await expect(visit.action('cancel')).toHaveCount(0);
});

test('logout: cancel redirects to the post-logout address without a sign-out', async ({
  page,
  visit,
  scripted,
}) => {
  await openLogout(visit, scripted);
  await visit.action('cancel').click();
  await page.waitForURL(`${scripted.urls.application}/signed-out`);
  expect(scripted.received('signOut')).toHaveLength(0);
});

test('logout: the splash covers the page until the logout context has loaded', async ({
  page,
  visit,
  scripted,
}) => {
  const release = scripted.script.hold('getLogoutContext');
  await visit.open('/account/logout', { query: { logoutId: 'lo-1' } });
  await visit.called('getLogoutContext');
  await expect(page.locator('[data-splash] [role="progressbar"]')).toHaveCount(1);
  release();
  await visit.step('logout');
});

test('logout: a confirmed sign-out makes one call with the anti-forgery header, even after a double click', async ({
  page,
  visit,
  scripted,
}) => {
  await openLogout(visit, scripted);
  const release = scripted.script.hold('signOut');
  await visit.action('sign-out').dblclick();
  const { headers } = await visit.called('signOut');
  const cookies = await page.context().cookies(scripted.urls.service);
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value;
  expect(token).toBeTruthy();
  expect(headers['x-xsrf-token']).toBe(token);
  expect(await visit.isLoading()).toBe(true);
  release();
  await visit.step('logged-out');
  await page.waitForURL(`${scripted.urls.application}/signed-out`);
  expect(scripted.received('signOut')).toHaveLength(1);
});

test('logout: without confirmation the page signs the user out at once, behind the splash', async ({
  page,
  visit,
  scripted,
}) => {
  const release = scripted.script.hold('signOut');
  await openLogout(visit, scripted, { requiresConfirmation: false });
  await visit.called('signOut');
  await expect(page.locator('[data-splash]')).toHaveCount(1);
  await expect(page.locator('main[data-step="logout"]')).toHaveCount(0);
  release();
  await visit.step('logged-out');
  await page.waitForURL(`${scripted.urls.application}/signed-out`);
});

test('logged out: a message, the logo, and a hidden frame that signs out at the identity service', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  await openLogout(visit, scripted);
  await visit.step('logout');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.action('sign-out').click();
  await visit.step('logged-out');
  await expect(page.getByRole('heading', { name: wordsPattern('loggedOut.heading') })).toBeVisible();
  await expect(page.locator('[data-card] img, [data-card] svg').first()).toBeVisible();
  const frame = page.locator('iframe');
  await expect(frame).toHaveCount(1);
  await expect(frame).toHaveAttribute('src', `${scripted.urls.application}/sign-out-frame`);
  await expect(frame).toBeHidden();
  expect(await frame.evaluate((element) => element.tabIndex < 0 || !element.checkVisibility())).toBe(true);
  expect(new URL(page.url()).pathname).toBe('/ui/account/logged-out');
});

test('logged out: after 2000 ms the browser is redirected to the stored address', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  await openLogout(visit, scripted);
  await visit.step('logout');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.action('sign-out').click();
  await visit.step('logged-out');
  await page.clock.runFor(1_900);
  expect(visit.journeys.filter((url) => url.endsWith('/signed-out'))).toHaveLength(0);
  await page.clock.runFor(200);
  await page.waitForURL(`${scripted.urls.application}/signed-out`);
});

test('logged out: skip_logout_delay removes the delay', async ({ page, visit, scripted }) => {
  await page.clock.install();
  await openLogout(visit, scripted, {}, { Skip_Logout_Delay: 'true' });
  await visit.step('logout');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.action('sign-out').click();
  await expect
    .poll(async () => {
      await page.clock.runFor(10);
      return page.url();
    })
    .toBe(`${scripted.urls.application}/signed-out`);
});

test('logged out: without an address the page stays, and links to the installation’s start page if it is configured', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  const home = page.getByRole('link', { name: wordsPattern('common.goToBoards') });
  for (const [homeUri, href] of [
    [`${scripted.urls.application}/home`, `${scripted.urls.application}/home`],
    ['/start', `${scripted.urls.service}/start`],
    [undefined, undefined],
    ['javascript:globalThis.hit=1', undefined],
    ['//evil.example/', undefined],
    ['/\\evil.example/', undefined],
  ] as const) {
    await test.step(homeUri ?? 'none', async () => {
      scripted.script.answer('getConfig', { homeUri });
      await openLogout(visit, scripted, { postLogoutRedirectUri: null, signOutIFrameUrl: null });
      await visit.step('logout');
      await visit.action('sign-out').click();
      await visit.step('logged-out');
      await page.clock.runFor(60_000);
      await visit.step('logged-out');
      await expect(page.locator('main')).toContainText(wordsPattern('loggedOut.descriptionWithoutAddress'));
      await expect(page.locator('iframe')).toHaveCount(0);
      if (href === undefined) await expect(home).toHaveCount(0);
      else await expect(home).toHaveAttribute('href', href);
    });
  }
});

test('logout: without an address for cancel there is no cancel button, and the user stays signed in', async ({
  visit,
  scripted,
}) => {
  await openLogout(visit, scripted, { postLogoutRedirectUri: null });
  await visit.step('logout');
  await expect(visit.action('sign-out')).toBeVisible();
  await expect(visit.action('cancel')).toHaveCount(0);
  expect(scripted.received('signOut')).toHaveLength(0);
});

test('logout: if the logout context fails the page shows the error page, or after a 401 the login page', async ({
  page,
  visit,
  scripted,
}) => {
  for (const [code, step, path] of [
    ['not_found', 'error', '/ui/account/logout'],
    ['forbidden', 'error', '/ui/account/logout'],
    ['validation_failed', 'error', '/ui/account/logout'],
    ['unauthorized', 'credentials', '/ui/account/login'],
  ] as const) {
    await test.step(code, async () => {
      scripted.script.fail('getLogoutContext', code);
      await visit.open('/account/logout', { query: { logoutId: 'lo-1' } });
      await visit.step(step);
      expect(new URL(page.url()).pathname).toBe(path);
      const expiryNotice = visit.notice('info').filter({ hasText: wordsPattern('error.unauthorized') });
      await expect(expiryNotice).toHaveCount(code === 'unauthorized' ? 1 : 0);
      expect(scripted.received('signOut')).toHaveLength(0);
    });
  }
});

test('logout: a failed sign-out does not report success', async ({ page, visit, scripted }) => {
  scripted.script.fail('signOut', 'overloaded');
  await openLogout(visit, scripted);
  await visit.action('sign-out').click();
  await visit.called('signOut');
  await visit.step('error');
  scripted.script.cut('signOut');
  await openLogout(visit, scripted);
  await visit.action('sign-out').click();
  await expect(visit.notice('error')).toContainText(wordsPattern('error.serverUnreachable'));
  await expect(page.locator('main[data-step="logged-out"]')).toHaveCount(0);
  expect(await visit.isLoading()).toBe(false);
});

test('logout: a failed sign-out without confirmation closes the splash', async ({
  page,
  visit,
  scripted,
}) => {
  for (const fail of ['overloaded', 'cut'] as const) {
    if (fail === 'cut') scripted.script.cut('signOut');
    else scripted.script.fail('signOut', fail);
    await openLogout(visit, scripted, { requiresConfirmation: false });
    await visit.called('signOut');
    await expect(page.locator('[data-splash]')).toHaveCount(0);
    await expect(page.locator('main[data-step="logged-out"]')).toHaveCount(0);
  }
});

test('sign-out on the site list: the logged-out page opens without a confirmation', async ({
  page,
  visit,
  scripted,
}) => {
  visit.choosing();
  await visit.open();
  await visit.step('select-site');
  await visit.action('sign-out').click();
  await visit.called('signOut');
  await visit.step('logged-out');
  expect(new URL(page.url()).pathname).toBe('/ui/account/logged-out');
  expect(scripted.received('signOut')).toHaveLength(1);
});

test('sign-out on the site list: the page reads the logout context before the session ends, notifies the applications and redirects', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  const { application } = scripted.urls;
  visit.choosing();
  await visit.open();
  await visit.step('select-site');
  await visit.action('sign-out').click();
  await visit.step('logged-out');
  const [contextCall] = scripted.received('getLogoutContext');
  const [signedOut] = scripted.received('signOut');
  expect(contextCall?.input.query).toEqual({});
  const count = (id: unknown): number => Number(String(id).split('.').at(-1));
  expect(count(contextCall?.headers['x-correlation-id'])).toBeLessThan(
    count(signedOut?.headers['x-correlation-id']),
  );
  await expect(page.locator('iframe')).toHaveAttribute('src', `${application}/sign-out-frame`);
  await page.clock.runFor(2000);
  // without a logout id the service returns the start page of the application
  await page.waitForURL(`${application}/home`);
});

test('sign-out on the site list: footer and shadow stay as the application requested', async ({
  page,
  visit,
  scripted,
}) => {
  scripted.script.answer('getLogoutContext', { requiresConfirmation: true, showCancelButton: false });
  const card = page.locator('[data-card]');
  for (const isReduced of [true, false]) {
    visit.choosing({
      loginFlowCustomizations: {
        languageSelectionAndLinksDisabled: isReduced,
        nestedUIEliminated: isReduced,
      },
    });
    await visit.open();
    await visit.step('select-site');
    await visit.action('sign-out').click();
    await visit.step('logged-out');
    await expect(visit.action('privacy-policy')).toHaveCount(isReduced ? 0 : 1);
    await expect(visit.action('language')).toHaveCount(isReduced ? 0 : 1);
    if (isReduced) await expect(card).toHaveCSS('box-shadow', 'none');
    else await expect(card).not.toHaveCSS('box-shadow', 'none');
  }
});
