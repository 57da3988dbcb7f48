import type { CallAnswer } from '@anteroom/contract';
import { expect, test } from './visit.ts';
import type { Visit } from './visit.ts';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import { words } from './words.ts';

/** Opens the page with this logout context. */
async function comeToLogout(
  visit: Visit,
  { script, places }: ScriptedIdentity,
  more: Partial<CallAnswer<'getLogoutContext'>> = {},
  query: Record<string, string> = {},
): Promise<void> {
  script.answer('getLogoutContext', {
    requiresConfirmation: true,
    showCancelButton: true,
    postLogoutRedirectUri: `${places.application}/signed-out`,
    signOutIFrameUrl: `${places.application}/sign-out-frame`,
    ...more,
  });
  await visit.open('/account/logout', { query: { logoutId: 'lo 7/7', ...query } });
}

test('logout: the confirmation has a heading, a sign-out button and a cancel button, and asks nothing of the sign-in', async ({
  page,
  visit,
  scripted,
}) => {
  await comeToLogout(visit, scripted);
  await visit.step('logout');
  await expect(page.getByRole('heading', { name: words('logout.heading') })).toBeVisible();
  await expect(visit.action('sign-out')).toHaveCount(1);
  await expect(visit.action('cancel')).toHaveCount(1);
  const { input } = await visit.called('getLogoutContext');
  expect(input.query).toEqual({ logoutId: 'lo 7/7' });
  expect(scripted.heard('getLogoutContext')).toHaveLength(1);
  expect(scripted.heard('signOut')).toHaveLength(0);
});

test('logout: the cancel button shows only when the service says so', async ({ visit, scripted }) => {
  await comeToLogout(visit, scripted, { showCancelButton: false });
  await visit.step('logout');
  await expect(visit.action('sign-out')).toHaveCount(1);
  await expect(visit.action('cancel')).toHaveCount(0);
});

test('logout: cancel leads to the logout address and signs nobody out', async ({ page, visit, scripted }) => {
  await comeToLogout(visit, scripted);
  await visit.action('cancel').click();
  await page.waitForURL(`${scripted.places.application}/signed-out`);
  expect(scripted.heard('signOut')).toHaveLength(0);
});

test('logout: the splash covers the page until the logout context is there', async ({
  page,
  visit,
  scripted,
}) => {
  const letGo = scripted.script.hold('getLogoutContext');
  await visit.open('/account/logout', { query: { logoutId: 'lo-1' } });
  await visit.called('getLogoutContext');
  await expect(page.locator('[data-splash] [role="progressbar"]')).toHaveCount(1);
  letGo();
  await visit.step('logout');
});

test('logout: a confirmed sign-out is one call with the anti-forgery header, and two clicks are one', async ({
  page,
  visit,
  scripted,
}) => {
  await comeToLogout(visit, scripted);
  const letGo = scripted.script.hold('signOut');
  await visit.action('sign-out').dblclick();
  const { headers } = await visit.called('signOut');
  expect(headers['x-xsrf-token']).toBe('scripted-anti-forgery-token');
  expect(await visit.isLoading()).toBe(true);
  letGo();
  await visit.step('logged-out');
  await page.waitForURL(`${scripted.places.application}/signed-out`);
  expect(scripted.heard('signOut')).toHaveLength(1);
});

test('logout: without confirmation the person is signed out directly, behind the splash', async ({
  page,
  visit,
  scripted,
}) => {
  const letGo = scripted.script.hold('signOut');
  await comeToLogout(visit, scripted, { requiresConfirmation: false });
  await visit.called('signOut');
  await expect(page.locator('[data-splash]')).toHaveCount(1);
  await expect(page.locator('main[data-step="logout"]')).toHaveCount(0);
  letGo();
  await visit.step('logged-out');
  await page.waitForURL(`${scripted.places.application}/signed-out`);
});

test('logged out: a message, the logo, and a hidden frame that signs out at the identity service', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  await comeToLogout(visit, scripted);
  await visit.step('logout');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.action('sign-out').click();
  await visit.step('logged-out');
  await expect(page.getByRole('heading', { name: words('loggedOut.heading') })).toBeVisible();
  await expect(page.locator('[data-card] img, [data-card] svg').first()).toBeVisible();
  const frame = page.locator('iframe');
  await expect(frame).toHaveCount(1);
  await expect(frame).toHaveAttribute('src', `${scripted.places.application}/sign-out-frame`);
  await expect(frame).toBeHidden();
  expect(await frame.evaluate((element) => element.tabIndex < 0 || !element.checkVisibility())).toBe(true);
  expect(new URL(page.url()).pathname).toBe('/ui/account/logged-out');
});

test('logged out: 2000 ms later the browser goes to the stored address', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  await comeToLogout(visit, scripted);
  await visit.step('logout');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.action('sign-out').click();
  await visit.step('logged-out');
  await page.clock.runFor(1_900);
  expect(visit.journeys.filter((url) => url.endsWith('/signed-out'))).toHaveLength(0);
  await page.clock.runFor(200);
  await page.waitForURL(`${scripted.places.application}/signed-out`);
});

test('logged out: skip_logout_delay takes the delay away', async ({ page, visit, scripted }) => {
  await page.clock.install();
  await comeToLogout(visit, scripted, {}, { Skip_Logout_Delay: 'true' });
  await visit.step('logout');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.action('sign-out').click();
  await expect
    .poll(async () => {
      await page.clock.runFor(10);
      return page.url();
    })
    .toBe(`${scripted.places.application}/signed-out`);
});

test('logged out: without an address or a frame the page stays and says so', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  await comeToLogout(visit, scripted, { postLogoutRedirectUri: null, signOutIFrameUrl: null });
  await visit.step('logout');
  await visit.action('sign-out').click();
  await visit.step('logged-out');
  await page.clock.runFor(60_000);
  await visit.step('logged-out');
  await expect(page.locator('iframe')).toHaveCount(0);
});

test('logout: cancel without an address keeps the person signed in and on a page that works', async ({
  page,
  visit,
  scripted,
}) => {
  await comeToLogout(visit, scripted, { postLogoutRedirectUri: null });
  await visit.step('logout');
  if ((await visit.action('cancel').count()) > 0) await visit.action('cancel').click();
  expect(scripted.heard('signOut')).toHaveLength(0);
  await expect(page.locator('main[data-step]')).toBeVisible();
});

test('logout: a logout context that cannot be had ends on the error page', async ({
  page,
  visit,
  scripted,
}) => {
  for (const code of ['not_found', 'forbidden', 'unauthorized'] as const) {
    scripted.script.fail('getLogoutContext', code);
    await visit.open('/account/logout', { query: { logoutId: 'lo-1' } });
    await expect.poll(async () => visit.stepNow(), code).not.toBe('logout');
    await expect(page.locator('[data-splash]'), code).toHaveCount(0);
    expect(scripted.heard('signOut')).toHaveLength(0);
  }
});

test('logout: a sign-out that fails does not claim that it succeeded', async ({ page, visit, scripted }) => {
  scripted.script.fail('signOut', 'overloaded');
  await comeToLogout(visit, scripted);
  await visit.action('sign-out').click();
  await visit.called('signOut');
  await visit.step('error');
  scripted.script.cut('signOut');
  await comeToLogout(visit, scripted);
  await visit.action('sign-out').click();
  await expect(visit.notice('error')).toContainText(words('error.serverUnreachable'));
  await expect(page.locator('main[data-step="logged-out"]')).toHaveCount(0);
  expect(await visit.isLoading()).toBe(false);
});

test('logout: a direct sign-out that fails ends the splash', async ({ page, visit, scripted }) => {
  for (const fail of ['overloaded', 'cut'] as const) {
    if (fail === 'cut') scripted.script.cut('signOut');
    else scripted.script.fail('signOut', fail);
    await comeToLogout(visit, scripted, { requiresConfirmation: false });
    await visit.called('signOut');
    await expect(page.locator('[data-splash]')).toHaveCount(0);
    await expect(page.locator('main[data-step="logged-out"]')).toHaveCount(0);
  }
});

test('sign-out on the site list: without confirmation, on to logged-out', async ({
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
  expect(scripted.heard('signOut')).toHaveLength(1);
});

test('sign-out on the site list: the logout context is asked for before the session ends, its frame tells the applications, and its address is where the browser goes', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  const { application } = scripted.places;
  scripted.script.answer('getLogoutContext', {
    requiresConfirmation: true,
    showCancelButton: true,
    postLogoutRedirectUri: `${application}/signed-out`,
    signOutIFrameUrl: `${application}/sign-out-frame`,
  });
  visit.choosing();
  await visit.open();
  await visit.step('select-site');
  await visit.action('sign-out').click();
  await visit.step('logged-out');
  const [asked] = scripted.heard('getLogoutContext');
  const [signedOut] = scripted.heard('signOut');
  const count = (id: unknown): number => Number(String(id).split('.').at(-1));
  expect(count(asked?.headers['x-correlation-id'])).toBeLessThan(
    count(signedOut?.headers['x-correlation-id']),
  );
  await expect(page.locator('iframe')).toHaveAttribute('src', `${application}/sign-out-frame`);
  await page.clock.runFor(2000);
  await page.waitForURL(`${application}/signed-out`);
});
