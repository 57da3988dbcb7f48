import type { ScriptedName } from '@anteroom/testkit/scripted/scripted-calls';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import { dana, expect, password, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

// Attacks and faults, F13: a call that changes state gets no answer. The page does not send it again but reads the context.

const unreachable = wordsPattern('error.serverUnreachable');

/**
 * The number of calls that the page has made. Counts correlation ids, because the browser itself can repeat a request
 * on a closed connection.
 */
function countCalls({ received }: ScriptedIdentity, name: ScriptedName): number {
  return new Set(received(name).map(({ headers }) => headers['x-correlation-id'])).size;
}

test('F13: a broken connection is reported in the form, which keeps the input, and no call is sent twice', async ({
  visit,
  scripted,
}) => {
  scripted.script.cut('authenticate');
  await visit.open();
  await visit.signIn();
  await expect(visit.notice('error')).toContainText(unreachable);
  await visit.step('credentials');
  await expect(visit.field('userName')).toHaveValue(dana);
  await expect(visit.field('password').last()).toHaveValue(password);
  expect(await visit.isLoading()).toBe(false);
  expect(countCalls(scripted, 'authenticate')).toBe(1);
  expect(countCalls(scripted, 'getAuthContext')).toBe(2);
  expect(scripted.received('getAuthContext').at(-1)?.input.query.returnUrl).toBe(visit.returnUrl());
});

test('F13: after a truncated answer the sign-in continues if the context shows that the user is signed in', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  for (const [more, arrives] of [
    [{}, 'arrived'],
    [{ session: { state: 'valid', isExternallyAuthenticated: false } }, 'select-site'],
    [{ promptMethod: 'change_password' }, 'password-reset-required'],
  ] as const) {
    await test.step(arrives, async () => {
      scripted.reset();
      scripted.script.cutHalfway('authenticate');
      await visit.open();
      await visit.step('credentials');
      visit.signedIn(more);
      await visit.signIn();
      if (arrives !== 'arrived') return visit.step(arrives);
      await visit.called('getAuthContext', 2);
      await page.clock.runFor(1500);
      await page.waitForURL(`${scripted.urls.application}/arrived`);
    });
    expect(countCalls(scripted, 'authenticate')).toBe(1);
  }
});

test('F13: if the answer is lost and the context does not show the result (code, new password, site), the form reports the failure', async ({
  page,
  visit,
  scripted,
}) => {
  await test.step('a code', async () => {
    scripted.script.answer('authenticate', { status: 'second_factor_required' });
    scripted.script.cutHalfway('verifyMfaCode');
    await visit.open();
    await visit.signIn();
    await visit.step('second-factor-required');
    await visit.field('code-1').click();
    await page.keyboard.type('123456');
    await visit.submit();
    await expect(visit.notice('error')).toContainText(unreachable);
    await visit.step('second-factor-required');
  });
  await test.step('a new password', async () => {
    scripted.reset();
    scripted.script.cutHalfway('passwordReset');
    visit.signedIn({ promptMethod: 'change_password' });
    await visit.open();
    for (const name of ['currentPassword', 'newPassword', 'newPasswordConfirmation'])
      await visit.field(name).fill(password);
    await visit.submit();
    await expect(visit.notice('error')).toContainText(unreachable);
    for (const name of ['currentPassword', 'newPassword', 'newPasswordConfirmation'])
      await expect(visit.field(name)).toHaveValue(password);
  });
  await test.step('a site', async () => {
    scripted.reset();
    scripted.script.cut('selectSite');
    visit.choosing();
    await visit.open();
    await page.locator('[data-site="harbor"] button').first().click();
    await expect(visit.notice('error')).toContainText(unreachable);
    await visit.step('select-site');
    expect(await visit.isLoading()).toBe(false);
  });
});

test('F13: an unknown sign-in starts again at the address that the service returns', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  scripted.script.cut('passwordReset');
  visit.signedIn({ promptMethod: 'change_password' });
  await visit.open();
  await visit.step('password-reset-voluntary');
  scripted.script.fail('getAuthContext', 'not_found');
  for (const name of ['currentPassword', 'newPassword', 'newPasswordConfirmation'])
    await visit.field(name).fill(password);
  await visit.submit();
  await visit.called('getAuthContext', 2);
  await page.clock.runFor(1500);
  await page.waitForURL(`${scripted.urls.application}/arrived`);
  expect(countCalls(scripted, 'passwordReset')).toBe(1);
});

test('F13: a call refused as an unknown sign-in ends on the error page if the context still has the sign-in', async ({
  visit,
  scripted,
}) => {
  scripted.script.fail('authenticate', 'not_found');
  await visit.open();
  await visit.signIn();
  await visit.step('error');
  expect(countCalls(scripted, 'getAuthContext')).toBe(2);
});

test('F13: a service that never answers shows a spinner for at most 15 seconds', async ({
  page,
  visit,
  scripted,
}) => {
  const release = scripted.script.hold('authenticate');
  await page.clock.install();
  await visit.open();
  await visit.step('credentials');
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await visit.signIn();
  await visit.called('authenticate');
  // first the timeout of the call, then that of the context read
  await page.clock.runFor(10_000);
  await page.clock.runFor(5_000);
  await expect(visit.notice('error')).toContainText(unreachable);
  expect(await visit.isLoading()).toBe(false);
  release();
});
