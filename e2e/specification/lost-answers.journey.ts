import type { ScriptedName } from '@anteroom/testkit/scripted/scripted-calls';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import { expect, test } from './visit.ts';

// Attacks and faults, F13: a call that changes state gets no answer. The page does not send it again but reads the context.

/**
 * The number of calls that the page has made. Counts correlation ids, because the browser itself can repeat a request
 * on a closed connection.
 */
function countCalls({ received }: ScriptedIdentity, name: ScriptedName): number {
  return new Set(received(name).map(({ headers }) => headers['x-correlation-id'])).size;
}

test('after a truncated answer the sign-in continues if the context shows that the user is signed in [F13]', async ({
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
