import { arriveAt } from '../fixtures/arrive.ts';
import type { Page } from '@playwright/test';
import { dana, expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

/** Polls an expectation while the page's clock advances: reads are retried with waits of 250 ms to 4 s. */
function letTimePass<Value>(page: Page, look: () => Promise<Value>): ReturnType<typeof expect.poll<Value>> {
  const lookLater = async (): Promise<Value> => {
    await page.clock.runFor(4_100);
    return look();
  };
  return expect.poll(lookLater, { intervals: [50] });
}

// `web/src/boot/failed-calls.test.ts` tests every call with every kind of failure; these journeys show some of them in
// a browser.

test('failed calls: any other 4xx and an unhandled 5xx end on the error page', async ({
  visit,
  scripted,
}) => {
  for (const [code, status] of [
    ['forbidden', 403],
    ['not_implemented', 501],
  ] as const) {
    scripted.script.fail('authenticate', code, { status });
    await visit.open();
    await visit.signIn();
    await visit.step('error');
    expect(await visit.isLoading()).toBe(false);
  }
});

test('failed calls: a GET call that is never answered is reported once, and the page stops loading', async ({
  page,
  visit,
  scripted,
}) => {
  scripted.script.cut('getSiteSettings');
  await page.clock.install();
  await visit.open();
  await visit.called('getSiteSettings');
  const reports = visit.notice('error').filter({ hasText: wordsPattern('error.serverUnreachable') });
  // a slow read is reported while it is still being retried: the test waits until nothing loads
  await letTimePass(page, async () => ({
    reports: await reports.count(),
    splash: await page.locator('[data-splash]').count(),
    isLoading: await visit.isLoading(),
  })).toEqual({ reports: 1, splash: 0, isLoading: false });
});

test('failed calls: a 503 overloaded with Retry-After stays in the form and states the wait', async ({
  page,
  visit,
  scripted,
}) => {
  scripted.script.fail('authenticate', 'overloaded', { retryAfterSeconds: 150 });
  await visit.open();
  await visit.signIn();
  await expect(page.locator('body')).toContainText(wordsPattern('error.busy.other', { count: 3 }));
  await visit.step('credentials');
});

test('failed calls: after an unreachable service the form can be submitted again', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  scripted.script.cut('authenticate');
  await visit.open();
  await visit.signIn();
  await expect(visit.notice('error')).toContainText(wordsPattern('error.serverUnreachable'));
  await expect(visit.field('userName')).toHaveValue(dana);
  scripted.script.answer('authenticate', { status: 'redirect', location: '/somewhere' });
  await visit.signIn();
  await arriveAt(page, `${scripted.urls.application}/arrived`);
});

test('failed calls: an uncaught error of the application ends on the error page', async ({
  page,
  visit,
  noise,
}) => {
  await visit.open();
  await visit.step('credentials');
  await page.evaluate(() => {
    const script = new URL(document.querySelector<HTMLScriptElement>('script[src]')?.src ?? location.href);
    const error = new Error('planted');
    error.stack = `Error: planted\n    at planted (${script.href}:1:1)`;
    globalThis.dispatchEvent(
      new ErrorEvent('error', { error, message: 'planted', filename: script.href, lineno: 1, colno: 1 }),
    );
  });
  await visit.step('error');
  noise.splice(0);
});
