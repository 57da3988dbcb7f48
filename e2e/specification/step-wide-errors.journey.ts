import type { ErrorCode } from '@anteroom/contract';
import type { Page } from '@playwright/test';
import { words } from '../fixtures/words.ts';
import { expect, test } from './visit.ts';

// A failure that concerns a whole step is shown once: first as a notification, then above the form.

const unreachable = words('error.serverUnreachable');

async function countShown(page: Page, text: string): Promise<number> {
  return page.getByText(text).filter({ visible: true }).count();
}

for (const [step, code, text] of [
  ['credentials', 'rate_limit_reached', words('error.tooManyAttempts.other', { count: 50 })],
  ['credentials', 'overloaded', words('error.busy.other', { count: 50 })],
  ['second-factor-required', 'mfa_max_attempts_exceeded', words('mfa.errors.verificationLimitHit')],
] as const satisfies readonly (readonly [string, ErrorCode, string])[])
  test(`step-wide error: ${code} is shown once at a time, and the button stays in a window of 720 px`, async ({
    page,
    visit,
    scripted,
  }) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    visit.context({ extensions: ['passkeys'] });
    await page.route('**/api/ui/passkey/sign-in-options', async (route) => route.fulfill({ status: 500 }));
    if (step === 'second-factor-required') {
      scripted.script.answer('authenticate', { status: 'second_factor_required' });
      scripted.script.fail('verifyMfaCode', code);
    } else scripted.script.fail('authenticate', code, { retryAfterSeconds: 3000 });
    await visit.open();
    await visit.signIn();
    if (step === 'second-factor-required') {
      await visit.step(step);
      await visit.field('code-1').pressSequentially('1');
      await page.keyboard.type('23456');
      await page.keyboard.press('Enter');
    }
    await expect(visit.notice('error')).toContainText(text);
    await visit.step('credentials');
    const button = page.locator('main button[type="submit"]');
    expect(await countShown(page, text)).toBe(1);
    await expect(button).toBeInViewport({ ratio: 1 });

    await visit.action('dismiss').click();
    await expect(page.locator('main [data-banner="error"]')).toHaveText(text);
    expect(await countShown(page, text)).toBe(1);
    await expect(button).toBeInViewport({ ratio: 1 });
  });

test('step-wide error: no connection is shown once, and the banner takes the place of the closed notification', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  scripted.script.cut('authenticate');
  await visit.open();
  await visit.signIn();
  await expect(visit.notice('error')).toContainText(unreachable);
  expect(await countShown(page, unreachable)).toBe(1);
  await page.mouse.move(0, 0);
  await page.clock.runFor(10_100);
  await expect(visit.notice('error')).toHaveCount(0);
  await expect(page.locator('main [data-banner="error"]')).toHaveText(unreachable);
  expect(await countShown(page, unreachable)).toBe(1);
});
