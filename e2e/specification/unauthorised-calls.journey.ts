import { wordsPattern } from '../fixtures/words.ts';
import { expect, test } from './visit.ts';

// `web/src/boot/failed-calls.test.ts` tests every call with a 401; these journeys show one of them in a browser.

test('401: without a known code it opens the login page with ReturnUrl and the reason', async ({
  page,
  visit,
  scripted,
}) => {
  scripted.script.fail('authenticate', 'unauthorized', { times: 1 });
  await visit.open();
  await visit.signIn();
  await visit.called('authenticate');
  await visit.called('getAuthContext', 2);
  await expect(visit.notice('info')).toContainText(wordsPattern('error.unauthorized'));
  await expect(page.locator('main[data-step]:not([data-step="error"])')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/ui/account/login');
  expect(new URL(page.url()).searchParams.get('ReturnUrl')).toBe(visit.returnUrl());
  expect(scripted.received('getAuthContext').at(-1)?.input.query.returnUrl).toBe(visit.returnUrl());
});

test('401: a service that always answers 401 does not cause a redirect loop', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  scripted.script.fail('getSiteSettings', 'unauthorized');
  await visit.open();
  await visit.called('getSiteSettings');
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000);
      return visit.stepNow();
    })
    .not.toBeNull();
  await page.clock.runFor(60_000);
  const callCount = scripted.received('getAuthContext').length;
  expect(callCount).toBeLessThanOrEqual(3);
  await page.clock.runFor(60_000);
  expect(scripted.received('getAuthContext').length).toBe(callCount);
});
