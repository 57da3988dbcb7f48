import { request as ask } from 'node:http';
import { demoUsers } from '@anteroom/testkit/demo-users';
import type { Page } from '@playwright/test';
import {
  enterCredentials,
  enterDirectorsCredentials,
  openCredentials,
} from '../../fixtures/sign-in-at-portal.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

// Attacks and faults, F13: the service has processed a request, but its answer is lost.

/**
 * Loses the answer to the next call of this path, including its cookies, after the service has processed the call. Then
 * the connection fails, or the request is repeated, as browsers do on a kept-alive connection.
 */
async function loseAnswer(page: Page, path: string, then: 'gone' | 'sent again' = 'gone'): Promise<number> {
  const lost = Promise.withResolvers<number>();
  await page.route(
    `**/api/ui/${path}`,
    async (route) => {
      const { url, method, headers, body } = {
        url: route.request().url(),
        method: route.request().method(),
        headers: await route.request().allHeaders(),
        body: route.request().postDataBuffer(),
      };
      const status = await new Promise<number>((resolve, reject) => {
        const sent = ask(url, { method, headers }, (answer) => {
          answer.resume();
          answer.on('end', () => resolve(answer.statusCode ?? 0));
        });
        sent.on('error', reject);
        sent.end(body ?? undefined);
      });
      await (then === 'gone' ? route.abort('connectionreset') : route.continue());
      lost.resolve(status);
    },
    { times: 1 },
  );
  return lost.promise;
}

/** Expects that the sign-in restarts at the remembered site, with a message. */
async function expectFreshStart(page: Page, why = 'error.serverUnreachable'): Promise<void> {
  await expect(page.locator('[data-notification]')).toContainText(words(why));
  await expect(page.locator('main[data-step="credentials"]')).toBeVisible();
  await expect(page.getByLabel(words('login.password'), { exact: true })).toHaveValue('');
}

for (const then of ['gone', 'sent again'] as const)
  test(`if the answer to the right password is lost, the sign-in restarts with a message, and the next attempt succeeds (${then}) [F13]`, async ({
    page,
    product,
  }) => {
    await openCredentials(page, product);
    const answered = loseAnswer(page, 'authenticate', then);
    await enterCredentials(page, demoUsers.secretary);
    expect(await answered).toBe(200);
    // the browser's repeated request was answered with the end of the sign-in
    await expectFreshStart(page, then === 'gone' ? undefined : 'error.unauthorized');
    await enterCredentials(page, demoUsers.secretary);
    await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
  });

test('a sign-in succeeds even if the answers to the right code and the choice of a board are lost [F13]', async ({
  page,
  product,
}) => {
  await openCredentials(page, product);
  const codeAnswered = loseAnswer(page, 'verify-mfa-code');
  await enterDirectorsCredentials(page, product);
  expect(await codeAnswered).toBe(200);
  await expectFreshStart(page);
  product.clock.advanceSeconds(60);
  await enterDirectorsCredentials(page, product);
  await expect(page.locator('[data-claim="site"]')).toHaveText('harbor');

  await page.getByRole('link', { name: 'Switch board' }).click();
  const choiceAnswered = loseAnswer(page, 'auth/select-site');
  await page.locator('[data-site="northwind-audit"] button').first().click();
  expect(await choiceAnswered).toBe(200);
  await expect(page.locator('[data-claim="site"]')).toHaveText('northwind-audit');
});

test('a browser that does not reach the application after the sign-in is redirected there once more', async ({
  page,
  product,
}) => {
  await page.clock.install();
  await openCredentials(page, product);
  let lost = 0;
  // a 204 keeps the browser on the page
  await page.route(
    '**/connect/authorize/**',
    (route) => {
      lost += 1;
      return route.fulfill({ status: 204 });
    },
    { times: 1 },
  );
  await enterCredentials(page, demoUsers.secretary);
  await expect.poll(() => lost).toBe(1);
  const retryRequest = page.waitForRequest('**/api/ui/auth/retry');
  await page.clock.runFor(5_000);
  await retryRequest;
  await expect(page.locator('[data-claim="site"]')).toHaveText('harbor');
});
