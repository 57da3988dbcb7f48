import type { Page } from '@playwright/test';
import { dana, expect, test } from './visit.ts';

// Browser extensions, bridges of mobile browsers and mail scanners run code in the page.

/** Fails in each way in which foreign code has been seen to fail; resolves when the browser has reported all of them. */
async function failAsForeignCode(page: Page): Promise<void> {
  const own = await page.evaluate(
    () => document.querySelector<HTMLScriptElement>('script[src*="/assets/app/"]')?.src ?? '',
  );
  expect(own).not.toBe('');
  await page.evaluate(async (own) => {
    const errorWith = (stack: string): Error => Object.assign(new TypeError('foreign'), { stack });
    const reasons: unknown[] = [
      'Object Not Found Matching Id:2, MethodName:update, ParamCount:4',
      undefined,
      null,
      { message: 'a bridge has closed' },
      new Error('evaluated'),
      new DOMException('The operation was aborted.', 'AbortError'),
      errorWith(''),
      errorWith(`TypeError: foreign\n    at b (chrome-extension://abc/inject.js:1:2)\n    at x (${own}:1:2)`),
      errorWith('b@moz-extension://0f/inject.js:1:2'),
      errorWith('b@webkit-masked-url://hidden/:1:2'),
      errorWith(`ReferenceError: foreign\n    at ${location.href}:1:27`),
    ];
    const reported = (name: string, times: number): Promise<void> =>
      new Promise((resolve) => {
        let left = times;
        globalThis.addEventListener(name, () => {
          left -= 1;
          if (left === 0) resolve();
        });
      });
    const all = Promise.all([
      reported('unhandledrejection', reasons.length),
      reported('error', reasons.length),
    ]);
    for (const reason of reasons) {
      void Promise.reject(reason);
      setTimeout(() => {
        throw reason;
      });
    }
    await all;
  }, own);
}

test('foreign code: its failures leave the credentials and what was typed [8.3, F18]', async ({
  page,
  visit,
  noise,
}) => {
  await visit.open();
  await visit.step('credentials');
  await visit.field('userName').fill(dana);
  await visit.field('password').last().fill('half a passw');
  await failAsForeignCode(page);
  await visit.step('credentials');
  await expect(visit.field('userName')).toHaveValue(dana);
  await expect(visit.field('password').last()).toHaveValue('half a passw');
  noise.splice(0);
});

test('foreign code: its failures leave the code step, and the code is accepted [8.3]', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  scripted.script.fail('verifyMfaCode', 'invalid_credentials', { status: 400 });
  await visit.open();
  await visit.signIn();
  await visit.step('second-factor-required');
  await page.locator('input[name=code-1]').pressSequentially('1');
  await page.locator('input[name=code-2]').pressSequentially('2');
  await failAsForeignCode(page);
  await visit.step('second-factor-required');
  await expect(page.locator('input[name=code-2]')).toHaveValue('2');
  for (const box of [3, 4, 5, 6]) await page.locator(`input[name=code-${box}]`).pressSequentially('3');
  await visit.submit();
  expect((await visit.called('verifyMfaCode')).input.body?.code).toBe('123333');
  noise.splice(0);
});

test.describe('the application’s own code', () => {
  for (const [how, planted] of [
    ['an uncaught error', 'queueMicrotask(() => { throw new Error("planted"); })'],
    ['a rejected promise', 'Promise.reject(new Error("planted"))'],
    ['an error inside a native function', 'queueMicrotask(() => JSON.parse("{"))'],
  ] as const)
    test(`foreign code: ${how} of the application ends on the error page`, async ({ page, visit, noise }) => {
      await page.route(/\/assets\/app\/late-start-[\w-]+\.js$/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          body: `${await response.text()}\naddEventListener('plant', () => { ${planted}; });`,
        });
      });
      const loaded = page.waitForResponse(/\/assets\/app\/late-start-/);
      await visit.open();
      await visit.step('credentials');
      await loaded;
      await expect
        .poll(async () => {
          await page.evaluate(() => globalThis.dispatchEvent(new Event('plant')));
          return visit.stepNow();
        })
        .toBe('error');
      noise.splice(0);
    });
});
