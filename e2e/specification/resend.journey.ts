import { resendWaitSeconds } from '@anteroom/contract';
import { expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

test('resend: the action is hidden for the seconds of Retry-After, or for the default wait without it', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  const countdown = (count: number) =>
    page.getByText(wordsPattern('mfa.resendIn.other', { count }), { exact: true });
  for (const [retryAfterSeconds, seconds] of [
    [83, 83],
    [undefined, resendWaitSeconds],
  ] as const) {
    scripted.script.answer(
      'resendMfaCode',
      undefined,
      retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
    );
    await visit.open();
    await visit.signIn();
    await visit.step('second-factor-required');
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    await visit.action('resend-code').click();
    await expect(countdown(seconds)).toBeVisible();
    await expect(visit.action('resend-code')).toHaveCount(0);
    await page.clock.runFor((seconds - 2) * 1000);
    await expect(countdown(2)).toBeVisible();
    await expect(visit.action('resend-code')).toHaveCount(0);
    await page.clock.runFor(2000);
    await expect(visit.action('resend-code')).toBeVisible();
    await page.clock.resume();
  }
});
