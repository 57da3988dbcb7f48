import type { Page } from '@playwright/test';
import { expect, test } from './visit.ts';
import type { Visit } from './visit.ts';

/** One address of each kind; `web/src/addresses.test.ts` tests all of them, and `web/src/api/send-call.test.ts` each member. */
const kinds = ['java\nscript:globalThis.hit=1', '//evil.invalid/x', '/\t/evil.invalid/x'];

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

test('unsafe addresses: no location of select-site is followed, and the error page opens [7.12, S02]', async ({
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

test('unsafe addresses: no post-logout address is followed by cancel or after the sign-out [7.12, S02]', async ({
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
