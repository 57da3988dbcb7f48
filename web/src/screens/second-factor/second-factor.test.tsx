// @vitest-environment happy-dom
import type { AuthContext } from '@anteroom/contract';
import { act } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { click, enter, press, requireElement } from '../../ui/testing/draw.tsx';
import { drawSignIn, returnUrl } from '../testing/draw-app.tsx';
import type { DrawnApp } from '../testing/draw-app.tsx';
import {
  action,
  alerts,
  field,
  fieldError,
  findAction,
  focusedName,
  step,
  submit,
  type,
} from '../testing/page.ts';
import { untilNextSecondMs } from './use-resend-countdown.ts';

async function drawCode(answer = {}, changes: Partial<AuthContext> = {}): Promise<DrawnApp> {
  const app = await drawSignIn(changes);
  type('userName', 'ada');
  type('password', 'secret');
  submit();
  await app.report({
    type: 'AUTH_ANSWERED',
    by: 'authenticate',
    answer: {
      status: 'second_factor_required',
      mfaAdaptivePolicyEnabled: true,
      mfaPhoneNumberSuffix: '4271',
      mfaCodeValidityInMinutes: 10,
      ...answer,
    },
  });
  return app;
}

const failed = (code: string) =>
  ({ type: 'AUTH_FAILED', by: 'verify-mfa-code', failure: { kind: 'handled', status: 400, code } }) as const;

const page = (): string => requireElement('main').textContent;
const checkbox = (): HTMLInputElement => field('publicComputerSignIn');

describe('what is said of the code', () => {
  test('where it went, as far as may be told, and how long it is valid', async () => {
    await drawCode();
    expect(step()).toBe('second-factor-required');
    expect(page()).toMatch(/ending in\s4271\..*valid for 10 minutes/);
    expect([findAction('phone-number-info'), focusedName()]).toEqual([expect.anything(), 'code-1']);
  });

  test('nothing of a number that is not known', async () => {
    await drawCode({ mfaPhoneNumberSuffix: undefined, mfaCodeValidityInMinutes: undefined });
    expect(page()).not.toContain('valid for');
    expect(findAction('phone-number-info')).toBeNull();
  });
});

describe('the public-computer choice', () => {
  test('needs the flag of the service and no setting against it', async () => {
    await drawCode({ mfaAdaptivePolicyEnabled: false });
    expect(document.querySelector('[name=publicComputerSignIn]')).toBeNull();
  });

  test('is not offered where the application has switched it off', async () => {
    await drawCode({}, { loginFlowCustomizations: { publicComputerSignInDisabled: true } });
    expect(document.querySelector('[name=publicComputerSignIn]')).toBeNull();
  });

  test('is kept through errors and goes with the code', async () => {
    const app = await drawCode();
    click(checkbox());
    enter(field('code-1'), '123456');
    submit();
    await app.report(failed('invalid_credentials'));
    expect(checkbox().checked).toBe(true);
    enter(field('code-1'), '654321');
    submit();
    expect(app.effects('verify-mfa-code').map(({ body }) => body)).toEqual([
      { code: '123456', publicComputerSignIn: true, returnUrl },
      { code: '654321', publicComputerSignIn: true, returnUrl },
    ]);
  });
});

describe('a code that does not do', () => {
  test.each([
    ['', 'Enter the code from the text message.'],
    ['123', 'This code is not right'],
  ])('%j is not sent', async (code, words) => {
    const app = await drawCode();
    if (code) enter(field('code-1'), code);
    submit();
    expect(alerts()).toContain(words);
    expect(app.effects('verify-mfa-code')).toEqual([]);
  });

  test('a wrong one empties and marks the boxes; a digit takes the error away', async () => {
    const app = await drawCode();
    enter(field('code-1'), '123456');
    submit();
    await app.report(failed('invalid_credentials'));
    expect([field('code-1').value, fieldError('code-1').isInvalid, focusedName()]).toEqual([
      '',
      true,
      'code-1',
    ]);
    press('7');
    expect(fieldError('code-1').isInvalid).toBe(false);
  });

  test('Enter takes the error away and sends nothing', async () => {
    const app = await drawCode();
    enter(field('code-1'), '123456');
    submit();
    await app.report(failed('invalid_credentials'));
    const isLeftToBrowser = press('Enter');
    expect([alerts(), isLeftToBrowser]).toEqual(['', false]);
  });

  test('a generic failure marks the boxes without words', async () => {
    const app = await drawCode();
    enter(field('code-1'), '123456');
    submit();
    await app.report(failed('validation_failed'));
    expect([alerts(), fieldError('code-1').isInvalid, field('code-1').value]).toEqual(['', true, '']);
  });

  test.each(['mfa_token_expired', 'mfa_max_attempts_exceeded'])(
    '%s begins the sign-in anew',
    async (code) => {
      const app = await drawCode();
      const before = app.effects('load-auth-context').length;
      enter(field('code-1'), '123456');
      submit();
      await app.report(failed(code));
      expect(app.effects('load-auth-context')).toHaveLength(before + 1);
      expect(document.querySelector('[data-notification=error]')).not.toBeNull();
    },
  );
});

/** Moves the time, and the page with it. */
function passMs(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

describe('another code', () => {
  const timing = (retryAfterSeconds?: number) => ({
    retryAfterSeconds,
    serviceTimeMs: Date.parse('2026-01-01T00:00:00Z'),
    receivedAtMs: performance.now(),
  });

  test('can be asked for at once, then after 30 seconds, which are counted', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const app = await drawCode();
    click(action('resend-code'));
    expect(app.effects('resend-mfa-code')).toHaveLength(1);
    await app.report({ type: 'CODE_RESENT', resent: timing() });
    expect(findAction('resend-code')).toBeNull();
    expect(page()).toContain('in 30 seconds');
    for (const seconds of [29, 28]) {
      passMs(1000);
      expect(page()).toContain(`in ${seconds} seconds`);
    }
    passMs(28_000);
    expect(findAction('resend-code')).not.toBeNull();
  });

  test('is waited for as long as the service says', async () => {
    const app = await drawCode();
    click(action('resend-code'));
    await app.report({ type: 'CODE_RESENT', resent: timing(83) });
    expect(page()).toContain('in 83 seconds');
  });

  test.each([
    ['rate_limit_reached', 'You have asked for several codes'],
    ['mfa_resend_failed', 'We could not send a new code'],
  ])('%s is told in place and blocks for its wait', async (code, words) => {
    const app = await drawCode();
    click(action('resend-code'));
    await app.report({
      type: 'RESEND_FAILED',
      failure: { kind: 'handled', status: 429, code, ...timing(77) },
    });
    expect(alerts()).toContain(words);
    expect(page()).toContain('in 77 seconds');
    expect(step()).toBe('second-factor-required');
  });

  test('the countdown ticks when the whole seconds change', () => {
    const secondFactor = {
      adaptiveMfa: false,
      phoneNumberSuffixMfa: undefined,
      codeValidityMinutes: undefined,
      mfaSmsResendTimeout: 10_000,
      serviceClockOffsetMs: 4000,
      resendError: 'None',
      resending: false,
      codesResent: 1,
    } as const;
    expect(untilNextSecondMs(secondFactor, 500)).toBe(500);
    expect(untilNextSecondMs(secondFactor, 1000)).toBe(1000);
    expect(untilNextSecondMs(secondFactor, 6000)).toBeUndefined();
  });
});
