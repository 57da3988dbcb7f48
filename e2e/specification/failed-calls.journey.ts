import { arriveAt } from '../fixtures/arrive.ts';
import type { Page } from '@playwright/test';
import { dana, expect, test } from './visit.ts';
import { flowCalls } from './flow-calls.ts';
import { wordsPattern } from '../fixtures/words.ts';

/** Polls an expectation while the page's clock advances: reads are retried with waits of 250 ms to 4 s. */
function letTimePass<Value>(page: Page, look: () => Promise<Value>): ReturnType<typeof expect.poll<Value>> {
  const lookLater = async (): Promise<Value> => {
    await page.clock.runFor(4_100);
    return look();
  };
  return expect.poll(lookLater, { intervals: [50] });
}

// The ways in which a call fails. One function classifies the failures of all calls (`web/src/api/failures.test.ts` and `client.test.ts`
// test it with each of these), so here every call meets every class, each with one of these in turn.
const refusals = [
  ['forbidden', 403],
  ['csrf_failed', 403],
  ['validation_failed', 422],
] as const;
const withoutBody = [
  ['', 400],
  ['{"code":7}', 400],
] as const;
const unreadable = ['[]', 'null', '{"status":"unheard_of"}'] as const;

/** Assigns one of the values to each call, so that each value is used for some call. */
const inTurn = <Kinds extends readonly [unknown, ...unknown[]]>(kinds: Kinds, index: number): Kinds[number] =>
  kinds[index % kinds.length] ?? kinds[0];

for (const [index, { call, go, form }] of flowCalls.entries()) {
  test(`failed calls: ${call}, any other 4xx and an unhandled 5xx end on the error page`, async ({
    page,
    visit,
    scripted,
  }) => {
    // after a 5xx, reads are retried with growing waits: the clock advances past all of them
    await page.clock.install();
    for (const [code, status] of [inTurn(refusals, index), ['not_implemented', 501]] as const) {
      await test.step(`${code} ${status}`, async () => {
        scripted.reset();
        scripted.script.fail(call, code, { status });
        await go(visit, page, scripted);
        await letTimePass(page, async () => [await visit.stepNow(), await visit.isLoading()]).toEqual([
          'error',
          false,
        ]);
      });
    }
  });

  test(`failed calls: ${call}, an unreachable service is reported, and nothing hangs`, async ({
    page,
    visit,
    scripted,
  }) => {
    scripted.script.cut(call);
    await page.clock.install();
    await go(visit, page, scripted);
    await visit.called(call);
    const told = visit.notice('error').filter({ hasText: wordsPattern('error.serverUnreachable') });
    // a slow read is reported while it is still being retried: the test waits until nothing loads
    await letTimePass(page, async () => ({
      told: await told.count(),
      splash: await page.locator('[data-splash]').count(),
      isLoading: await visit.isLoading(),
    })).toEqual({ told: 1, splash: 0, isLoading: false });
    if (form) expect(await visit.stepNow()).toBe(form);
  });

  if (form) {
    test(`failed calls: ${call}, 400, 429 and 500 with a code are handled by the form and leave it usable`, async ({
      page,
      visit,
      scripted,
    }) => {
      await page.clock.install();
      for (const code of ['validation_failed', 'rate_limit_reached', 'internal_error'] as const) {
        await test.step(code, async () => {
          scripted.reset();
          scripted.script.fail(call, code);
          await go(visit, page, scripted);
          await visit.called(call);
          await letTimePass(page, async () => visit.isLoading()).toBe(false);
          await visit.step(form);
        });
      }
    });

    test(`failed calls: ${call}, a 503 overloaded with Retry-After ${form === 'site-entry' ? 'ends on the error page' : 'stays in the form and states the wait'}`, async ({
      page,
      visit,
      scripted,
    }) => {
      await page.clock.install();
      scripted.script.fail(call, 'overloaded', { retryAfterSeconds: 150 });
      await go(visit, page, scripted);
      await visit.called(call);
      await letTimePass(page, async () => visit.isLoading()).toBe(false);
      if (form === 'site-entry') return visit.step('error');
      await visit.step(form);
      const wait =
        call === 'resendMfaCode' ? /\b1[0-5]\d seconds/ : wordsPattern('error.busy.other', { count: 3 });
      await expect(page.locator('body')).toContainText(wait);
    });

    test(`failed calls: ${call}, a 400 or 500 without the contract’s body ends on the error page`, async ({
      page,
      visit,
      scripted,
    }) => {
      await page.clock.install();
      for (const [body, status] of [inTurn(withoutBody, index), ['<html>bad gateway</html>', 500]] as const) {
        await test.step(`${status} ${body}`, async () => {
          scripted.reset();
          scripted.script.garble(call, body, status);
          await go(visit, page, scripted);
          await letTimePass(page, async () => visit.stepNow()).toBe('error');
        });
      }
    });
  }

  if (call !== 'resendMfaCode' && call !== 'signOut')
    test(`failed calls: ${call}, an unreadable answer is an unexpected error`, async ({
      page,
      visit,
      scripted,
    }) => {
      // a sign-in waits before it requests the redirect
      await page.clock.install();
      for (const body of ['<!doctype html><title>proxy</title>', inTurn(unreadable, index)]) {
        await test.step(body, async () => {
          scripted.reset();
          scripted.script.garble(call, body);
          await go(visit, page, scripted);
          await letTimePass(page, async () => visit.stepNow()).toBe('error');
        });
      }
    });
}

test('failed calls: auth-context, a 401 and any other 4xx end on the error page', async ({
  visit,
  scripted,
}) => {
  for (const code of [
    'unauthorized',
    'invalid_credentials',
    'forbidden',
    'rate_limit_reached',
    'validation_failed',
  ] as const) {
    scripted.script.fail('getAuthContext', code);
    await visit.open();
    await visit.step('error');
  }
  for (const body of ['<html>', '{}', '{"session":7}']) {
    scripted.script.garble('getAuthContext', body);
    await visit.open();
    await visit.step('error');
  }
});

test('failed calls: an empty list of sites is a failure of the service', async ({ visit, scripted }) => {
  visit.choosing();
  scripted.script.answer('getSites', {
    sites: [],
    userFirstName: 'Dana',
    userLastName: 'Rivers',
    boardsUserName: 'drivers',
    directorToDoItemsEnabled: false,
  });
  await visit.open();
  await visit.step('error');
});

test('failed calls: reads are retried up to ten times without an answer or after a 5xx, and then succeed', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  for (const call of ['getAuthContext', 'getSiteSettings'] as const) {
    scripted.reset();
    scripted.script.fail(call, 'overloaded', { times: 4 });
    await visit.open();
    await letTimePass(page, async () => visit.stepNow()).toBe('credentials');
    expect(scripted.received(call)).toHaveLength(5);
  }
  scripted.reset();
  scripted.script.fail('getAuthContext', 'overloaded');
  await visit.open();
  await letTimePass(page, async () => visit.stepNow()).toBe('error');
  expect(scripted.received('getAuthContext')).toHaveLength(11);
});

test('failed calls: a call that changes state is not retried', async ({ page, visit, scripted }) => {
  // counts the calls of the page: the browser itself can repeat a request on a connection that was closed
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/ui/authenticate')) asked.push(request.url());
  });
  await page.clock.install();
  scripted.script.fail('authenticate', 'internal_error');
  await visit.open();
  await visit.signIn();
  await visit.called('authenticate');
  await expect.poll(async () => visit.isLoading()).toBe(false);
  await page.clock.runFor(60_000);
  expect(asked).toHaveLength(1);
  scripted.script.cut('authenticate');
  await visit.open();
  await visit.signIn();
  await expect(visit.notice('error')).toBeVisible();
  await page.clock.runFor(60_000);
  expect(asked).toHaveLength(2);
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

test('failed calls: failures of config.json, metrics and retry have no effect', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  const fails = ['unauthorized', 'forbidden', 'internal_error', 'cut', 'garbled'] as const;
  // all three fail in each visit, each in a different way; after five visits each has failed in every way
  for (const turn of fails.keys()) {
    scripted.reset();
    for (const [index, call] of (['getConfig', 'postMetrics', 'getRetry'] as const).entries()) {
      const fail = inTurn(fails, turn + index);
      if (fail === 'cut') scripted.script.cut(call);
      else if (fail === 'garbled') scripted.script.garble(call, '<html>');
      else scripted.script.fail(call, fail);
    }
    await test.step(`beginning with ${inTurn(fails, turn)}`, async () => {
      visit.choosing();
      await visit.open();
      await visit.step('select-site');
      await page.locator('[data-site="harbor"] button').first().click();
      await page.waitForURL(`${scripted.urls.application}/arrived`);
    });
  }
  // the browser logs the failed request
  noise.splice(0, noise.length, ...noise.filter((line) => !line.includes('/ui/config.json')));
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
