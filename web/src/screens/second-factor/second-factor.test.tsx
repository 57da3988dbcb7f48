import { resendWaitSeconds } from '@anteroom/contract';
// @vitest-environment happy-dom
import type { AuthContext, ErrorCode } from '@anteroom/contract';
import { act } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { click, enter, press, requireElement } from '../../ui/testing/draw.tsx';
import { contextOf, drawSignIn, returnUrl } from '../testing/draw-app.tsx';
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
import { untilNextSecondMs } from '../use-resend-countdown.ts';

async function drawCode(answer = {}, changes: Partial<AuthContext> = {}): Promise<DrawnApp> {
  const app = await drawSignIn(changes);
  if (changes.userName === undefined) type('userName', 'ada');
  type('password', 'secret');
  submit();
  await app.report({
    type: 'AUTH_ANSWERED',
    by: 'authenticate',
    time: { serviceTimeMs: Date.parse('2026-01-01T00:00:00Z'), receivedAtMs: performance.now() },
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

const failed = (code: ErrorCode) =>
  ({ type: 'AUTH_FAILED', failure: { kind: 'handled', status: 400, code } }) as const;

const page = (): string => requireElement('main').textContent;
const checkbox = (): HTMLInputElement => field('publicComputerSignIn');

describe('the delivery of the code', () => {
  test('shows the last digits of the number and how long the code is valid [2.47, 2.48, 9.2, WCAG 2.2.1]', async () => {
    await drawCode();
    expect(step()).toBe('second-factor-required');
    expect(page()).toMatch(/ending in\s4271\. Valid for 10 minutes\./);
    expect([findAction('phone-number-info'), focusedName()]).toEqual([expect.anything(), 'code-1']);
  });

  test('shows nothing about an unknown number [2.47]', async () => {
    await drawCode({ mfaPhoneNumberSuffix: undefined, mfaCodeValidityInMinutes: undefined });
    expect(page()).not.toContain('Valid for');
    expect(findAction('phone-number-info')).toBeNull();
  });
});

describe('the public-computer choice', () => {
  test('is shown only if the service allows it [2.49]', async () => {
    await drawCode({ mfaAdaptivePolicyEnabled: false });
    expect(document.querySelector('[name=publicComputerSignIn]')).toBeNull();
  });

  test('is hidden if the application disables it [2.49]', async () => {
    await drawCode({}, { loginFlowCustomizations: { publicComputerSignInDisabled: true } });
    expect(document.querySelector('[name=publicComputerSignIn]')).toBeNull();
  });

  test('is kept through errors and sent with the code [2.55, 3.10]', async () => {
    const app = await drawCode();
    click(checkbox());
    enter(field('code-1'), '123456');
    submit();
    await app.report(failed('invalid_credentials'));
    expect(checkbox().checked).toBe(true);
    enter(field('code-1'), '654321');
    submit();
    expect(app.calls('verifyMfaCode').map(({ body }) => body)).toEqual([
      { code: '123456', publicComputerSignIn: true, returnUrl },
      { code: '654321', publicComputerSignIn: true, returnUrl },
    ]);
  });
});

describe('a code that is not accepted', () => {
  test.each([
    ['', 'Enter the code from the text message.'],
    ['123', 'This code is incorrect'],
  ])('%j is not sent [5.5, 8.15]', async (code, words) => {
    const app = await drawCode();
    if (code) enter(field('code-1'), code);
    submit();
    expect(alerts()).toContain(words);
    expect(app.calls('verifyMfaCode')).toEqual([]);
  });

  test('an incomplete code shows how many digits it needs, and stays [5.5]', async () => {
    const app = await drawCode();
    enter(field('code-1'), '123');
    submit();
    expect(alerts()).toBe('This code is incorrect. Enter all six digits.');
    expect([field('code-3').value, focusedName()]).toEqual(['3', 'code-4']);
    for (let digits = 3; digits > 0; digits -= 1) press('Backspace');
    expect(alerts()).toBe('This code is incorrect. Enter all six digits.');
    enter(field('code-1'), '123');
    submit();
    press('4');
    expect(alerts()).toBe('');
    enter(field('code-4'), '456');
    submit();
    expect(app.calls('verifyMfaCode').map(({ body }) => body.code)).toEqual(['123456']);
    await app.report(failed('invalid_credentials'));
    expect(alerts()).toBe('This code is incorrect. Check the newest message.');
  });

  test('a wrong code clears and marks the boxes; a digit dismisses the error [2.55]', async () => {
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

  test('Enter dismisses the error and sends nothing [2.55]', async () => {
    const app = await drawCode();
    enter(field('code-1'), '123456');
    submit();
    await app.report(failed('invalid_credentials'));
    const isLeftToBrowser = press('Enter');
    expect([alerts(), isLeftToBrowser]).toEqual(['', false]);
  });

  test('a generic failure marks the boxes without a message [8.15]', async () => {
    const app = await drawCode();
    enter(field('code-1'), '123456');
    submit();
    await app.report(failed('validation_failed'));
    expect([alerts(), fieldError('code-1').isInvalid, field('code-1').value]).toEqual(['', true, '']);
  });

  test.each(['mfa_token_expired', 'mfa_max_attempts_exceeded'] as const)(
    '%s restarts the sign-in [4.23, 8.15]',
    async (code) => {
      const app = await drawCode();
      const before = app.calls('getAuthContext').length;
      enter(field('code-1'), '123456');
      submit();
      await app.report(failed(code));
      expect(app.calls('getAuthContext')).toHaveLength(before + 1);
      expect(document.querySelector('[data-notification=error]')).not.toBeNull();
    },
  );
});

describe('the name of the user', () => {
  test('is the typed name, and another user starts again with an empty field', async () => {
    const app = await drawCode();
    expect(page()).toContain('Account ada');
    click(action('start-again'));
    expect(app.calls('getAuthContext')).toHaveLength(2);
    await app.report(
      { type: 'CONTEXT_LOADED', context: contextOf() },
      { type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry: true } },
    );
    expect([step(), field('userName').value]).toEqual(['credentials', '']);
  });

  test('is hidden if only the service knows it; the link to start again stays', async () => {
    await drawCode({}, { userName: 'ada.lovelace@acme.example' });
    expect(page()).not.toContain('lovelace');
    expect(action('start-again').textContent).toBe('Start again');
  });

  test('says who helps users without access to the phone', async () => {
    await drawCode();
    expect(requireElement('main form ~ p:last-child').textContent).toBe(
      'No access to this phone? Your board office can help.',
    );
  });

  test('shows the support text without a link if the application wants no links', async () => {
    await drawCode({}, { loginFlowCustomizations: { languageSelectionAndLinksDisabled: true } });
    expect(findAction('global-support')).toBeNull();
    expect(page()).toContain('Your board office can help');
  });
});

/** Advances the timers, and rerenders. */
function passMs(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

describe('a first code that was not sent', () => {
  const setVisible = (visibilityState: DocumentVisibilityState): void => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibilityState);
    onTestFinished(() => void vi.restoreAllMocks());
  };
  const drawWaiting = async (nextCodeInSeconds: number, more = {}): Promise<DrawnApp> => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    return drawCode({ codeSent: false, nextCodeInSeconds, ...more });
  };

  test('is reported as not sent, has a countdown, and is requested once when the wait is over [2.56]', async () => {
    setVisible('visible');
    const app = await drawWaiting(22);
    expect(page()).toMatch(/ending in\s4271, but for another sign-in/);
    expect(page()).toContain('We will send one in 22 seconds');
    expect([page().includes('Sent to your phone'), findAction('resend-code')]).toEqual([false, null]);
    // No code was sent, so the page states no validity.
    expect(page()).not.toContain('Valid for');
    passMs(21_000);
    expect(page()).toContain('in 1 second.');
    expect(app.calls('resendMfaCode')).toEqual([]);
    passMs(1000);
    expect(app.calls('resendMfaCode')).toHaveLength(1);

    const failure = { kind: 'handled', status: 500, code: 'mfa_resend_failed' } as const;
    await app.report({ type: 'RESEND_FAILED', failure });
    expect(alerts()).toContain('We could not send a new code');
    passMs(60_000);
    expect(app.calls('resendMfaCode')).toHaveLength(1);
    expect(action('resend-code').textContent).toBe('Send a code');
  });

  test('counts as sent once it was requested, and then the wait of the answer applies', async () => {
    setVisible('visible');
    const app = await drawWaiting(5);
    enter(field('code-1'), '123456');
    submit();
    await app.report(failed('invalid_credentials'));
    expect(alerts()).toBe('This code is incorrect. Check the newest message.');
    passMs(5000);
    // An automatic resend does not remove the error of a code that the visitor typed.
    expect(alerts()).toContain('This code is incorrect.');
    await app.report({
      type: 'CODE_RESENT',
      resent: { retryAfterSeconds: 44, serviceTimeMs: 0, receivedAtMs: performance.now() },
    });
    expect(page()).toMatch(/Sent to your phone ending in\s4271/);
    expect(page()).toContain('You can request a new code in 44 seconds');
    expect(page()).not.toContain('A new code is on its way.');
    enter(field('code-1'), '1');
    expect(page()).toContain('A new code is on its way.');
  });

  test('is not requested automatically on a hidden page', async () => {
    setVisible('hidden');
    const app = await drawWaiting(3);
    passMs(3000);
    expect(app.calls('resendMfaCode')).toEqual([]);
    expect(action('resend-code').textContent).toBe('Send a code');
  });

  test('is not requested automatically after a wait of more than a minute', async () => {
    setVisible('visible');
    const app = await drawWaiting(61, { mfaPhoneNumberSuffix: undefined });
    expect(page()).toContain('We cannot send more codes for now.');
    expect(page()).toContain('You can request a new code in 61 seconds');
    passMs(61_000);
    expect(page()).not.toContain('We cannot send more codes for now.');
    expect(app.calls('resendMfaCode')).toEqual([]);
    click(action('resend-code'));
    expect(app.calls('resendMfaCode')).toHaveLength(1);
  });

  test('shows no boxes after a refused request, also during the next one', async () => {
    const app = await drawWaiting(0);
    await app.report({
      type: 'RESEND_FAILED',
      failure: {
        kind: 'handled',
        status: 429,
        code: 'rate_limit_reached',
        retryAfterSeconds: 5,
        serviceTimeMs: 0,
        receivedAtMs: performance.now(),
      },
    });
    expect(page()).toContain('We cannot send more codes for now.');
    expect(page()).not.toContain('not sent a code');
    expect(document.activeElement?.tagName).toMatch(/^H[12]$/);
    passMs(5000);
    click(action('resend-code'));
    expect(document.querySelector('form')).toBeNull();
  });

  test('shows no boxes while too many codes were requested, and then focuses the first one', async () => {
    const app = await drawWaiting(61);
    expect(document.querySelector('form')).toBeNull();
    passMs(61_000);
    click(action('resend-code'));
    await app.report({
      type: 'CODE_RESENT',
      resent: { retryAfterSeconds: undefined, serviceTimeMs: 0, receivedAtMs: performance.now() },
    });
    expect(focusedName()).toBe('code-1');
  });

  test('is requested at once without a wait', async () => {
    setVisible('visible');
    const app = await drawWaiting(0);
    expect(page()).toContain('We have not sent a code for this sign-in yet.');
    expect(app.calls('resendMfaCode')).toHaveLength(1);
  });
});

describe('a resend', () => {
  const timing = (retryAfterSeconds?: number) => ({
    retryAfterSeconds,
    serviceTimeMs: Date.parse('2026-01-01T00:00:00Z'),
    receivedAtMs: performance.now(),
  });

  test('is available at once, then after a countdown [2.56, 7.6, WCAG 2.2.1]', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const app = await drawCode();
    click(action('resend-code'));
    expect(app.calls('resendMfaCode')).toHaveLength(1);
    await app.report({ type: 'CODE_RESENT', resent: timing() });
    expect(requireElement('[aria-live] > p').textContent).toBe('A new code is on its way.');
    expect(findAction('resend-code')).toBeNull();
    expect(page()).toContain(`in ${resendWaitSeconds} seconds`);
    for (const seconds of [resendWaitSeconds - 1, resendWaitSeconds - 2]) {
      passMs(1000);
      expect(page()).toContain(`in ${seconds} seconds`);
    }
    passMs((resendWaitSeconds - 2) * 1000);
    expect(findAction('resend-code')).not.toBeNull();
  });

  test('clears the digits that were typed before it', async () => {
    const app = await drawCode();
    enter(field('code-1'), '123');
    click(action('resend-code'));
    expect(field('code-3').value).toBe('3');
    await app.report({ type: 'CODE_RESENT', resent: timing() });
    expect(['code-1', 'code-3'].map((name) => field(name).value)).toEqual(['', '']);
  });

  test('waits for the time that the service sets, from the first code on [2.56]', async () => {
    const app = await drawCode({ nextCodeInSeconds: 47 });
    expect(page()).toContain('in 47 seconds');
    expect(findAction('resend-code')).toBeNull();
    await app.report({ type: 'CODE_RESENT', resent: timing(0) });
    click(action('resend-code'));
    await app.report({ type: 'CODE_RESENT', resent: timing(83) });
    expect(page()).toContain('in 83 seconds');
  });

  test.each([
    [600, 'You can request a new code in 600 seconds.'],
    [601, 'You can request a new code from 1 January 2026 at 12:11.'],
  ])('after a wait of %i seconds is announced as “%s”', async (nextCodeInSeconds, words) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    vi.spyOn(performance, 'timeOrigin', 'get').mockReturnValue(
      new Date(2026, 0, 1, 12).getTime() - performance.now(),
    );
    onTestFinished(() => void vi.restoreAllMocks());
    await drawCode({ nextCodeInSeconds });
    expect(page()).toContain(words);
  });

  test.each([
    ['rate_limit_reached', 'We cannot send more codes for now.'],
    ['mfa_resend_failed', 'We could not send a new code'],
  ] as const)('%s is shown on the page and blocks for its wait [8.16]', async (code, words) => {
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

  test.each(['mfa_token_expired', 'mfa_max_attempts_exceeded'] as const)(
    '%s ends the step after a resend, as after a verification [4.24]',
    async (code) => {
      const app = await drawCode();
      click(action('resend-code'));
      await app.report({ type: 'RESEND_FAILED', failure: { kind: 'handled', status: 401, code } });
      expect(app.calls('getAuthContext')).toHaveLength(2);
      const notice = requireElement('[data-notification=error]').textContent;
      expect(notice).toMatch(code === 'mfa_token_expired' ? /has expired/ : /Too many incorrect codes/);
    },
  );

  test('the countdown changes with each whole second [4.22]', () => {
    const wait = { mfaSmsResendTimeout: 10_000, serviceClockOffsetMs: 4000 };
    expect(untilNextSecondMs(wait, 500)).toBe(500);
    expect(untilNextSecondMs(wait, 1000)).toBe(1000);
    expect(untilNextSecondMs(wait, 6000)).toBeUndefined();
  });
});
