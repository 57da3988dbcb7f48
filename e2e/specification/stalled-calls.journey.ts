import type { Page } from '@playwright/test';
import { expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

// Requests that never get an answer. `web/src/api/send-call.test.ts` proves the same time-out for every other call.

/** Advances the page's clock until `shown` returns true. */
async function passTimeUntil(page: Page, shown: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(2_000);
        return shown();
      },
      { intervals: [20] },
    )
    .toBe(true);
}

test('stalled calls: a context that never arrives is reported on the splash and then on the error page, both with a way to try again [4.1]', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  const release = scripted.script.hold('getAuthContext');
  await visit.open();
  await visit.called('getAuthContext');
  const report = page.locator('[data-splash] [role="status"]', {
    hasText: wordsPattern('error.serverUnreachable'),
  });
  await passTimeUntil(page, async () => (await report.count()) === 1);
  const again = page.locator('[data-splash]').getByRole('link', { name: wordsPattern('common.tryAgain') });
  await again.focus();
  await expect(again).toHaveCSS('min-block-size', '48px');
  await passTimeUntil(page, async () => (await visit.stepNow()) === 'error');
  await expect(page.locator('[data-splash]')).toHaveCount(0);
  await expect(visit.notice('error')).toContainText(wordsPattern('error.serverUnreachable'));
  release();
  await page.getByRole('button', { name: wordsPattern('common.tryAgain') }).click();
  await passTimeUntil(page, async () => (await visit.stepNow()) === 'credentials');
});

for (const path of ['/account/login', '/recovery/forgotten-password'])
  test(`stalled calls: without any texts ${path} explains in English what to do, and can be loaded again`, async ({
    page,
    visit,
  }) => {
    await page.clock.install();
    let isStalled = true;
    await page.route('**/assets/i18n/*.json', async (route) => (isStalled ? undefined : route.continue()));
    await visit.open(path, { query: { culture: 'de' }, returnUrl: { requested_language: 'de' } });
    await passTimeUntil(page, async () => (await visit.stepNow()) === 'error');
    await expect(page.getByRole('alert')).toHaveText(
      'We cannot reach the service. Check your connection and try again.',
    );
    const again = page.getByRole('button', { name: 'Try again' });
    await expect(again).toBeFocused();
    isStalled = false;
    await page.keyboard.press('Enter');
    await passTimeUntil(page, async () => (await page.locator('html[lang="de"] main h2').count()) === 1);
  });
