// @vitest-environment happy-dom
import type { ErrorCode, PasswordPolicy } from '@anteroom/contract';
import { act } from 'react';
import { describe, expect, test } from 'vitest';
import { click, enter, requireElement } from '../../ui/testing/draw.tsx';
import { contextOf, drawSignIn, returnUrl } from '../testing/draw-app.tsx';
import type { DrawnApp } from '../testing/draw-app.tsx';
import {
  action,
  alerts,
  field,
  fieldError,
  findAction,
  focusedName,
  heading,
  step,
  submit,
  type,
} from '../testing/page.ts';

const names = ['currentPassword', 'newPassword', 'newPasswordConfirmation'] as const;

async function drawRequired(policy?: PasswordPolicy): Promise<DrawnApp> {
  const app = await drawSignIn();
  type('userName', 'ada');
  type('password', 'secret');
  submit();
  await app.report(
    { type: 'AUTH_ANSWERED', by: 'authenticate', answer: { status: 'password_reset_required' } },
    {
      type: 'CONTEXT_REFRESHED',
      because: 'password_reset_required',
      context: contextOf({ userName: 'ada@acme.example' }),
    },
    { type: 'POLICY_LOADED', policy, page: 'password-reset-required' },
  );
  return app;
}

const drawVoluntary = (cancelRedirectUri?: string): Promise<DrawnApp> =>
  drawSignIn(
    {
      cancelRedirectUri,
      promptMethod: 'change_password',
      userName: 'ada@acme.example',
      session: { state: 'valid', authSite: 'acme', isExternallyAuthenticated: false },
    },
    { events: [{ type: 'POLICY_LOADED', policy: undefined, page: 'password-reset-voluntary' }] },
  );

function fill(values = ['old', 'new', 'new']): void {
  for (const [index, name] of names.entries()) type(name, values[index] ?? '');
}

const failed = (code: ErrorCode, description?: string, policyLine?: string) =>
  ({
    type: 'AUTH_FAILED',
    failure: { kind: 'handled', status: 400, code, description, policyLine },
  }) as const;

describe('the three fields', () => {
  test('tell password managers their purpose and the user name [2.11, 2.43]', async () => {
    await drawRequired();
    expect([step(), heading()]).toEqual(['password-reset-required', 'Choose a new password']);
    expect(document.title).toMatch(/^Change password/);
    expect(names.map((name) => field(name).autocomplete)).toEqual([
      'current-password',
      'new-password',
      'new-password',
    ]);
    expect([field('userName').value, field('userName').tabIndex]).toEqual(['ada@acme.example', -1]);
    expect(focusedName()).toBe('currentPassword');
  });

  test('each have a message while empty, and nothing is sent [5.4]', async () => {
    const app = await drawRequired();
    submit();
    expect(names.map((name) => fieldError(name).words)).toEqual([
      'Enter your current password.',
      'Enter a new password.',
      'Confirm the new password.',
    ]);
    expect(focusedName()).toBe('currentPassword');
    type('currentPassword', 'old');
    submit();
    expect(focusedName()).toBe('newPassword');
    expect(app.calls('passwordReset')).toEqual([]);
  });

  test('are sent unchanged, with user, site and return address [3.10]', async () => {
    const app = await drawRequired();
    fill([' old ', 'new one', 'new two']);
    submit();
    expect(app.calls('passwordReset').map(({ body }) => body)).toEqual([
      {
        returnUrl,
        currentPassword: ' old ',
        newPassword: 'new one',
        newPasswordConfirmation: 'new two',
        userName: 'ada@acme.example',
        site: 'acme',
        authSite: undefined,
      },
    ]);
  });
});

describe('after a failure the form is empty', () => {
  test.each([
    ['invalid_credentials', 'currentPassword', 'The current password is incorrect'],
    ['invalid_new_password', 'newPassword', 'rule'],
    ['passwords_do_not_match', 'newPasswordConfirmation', 'do not match'],
  ] as const)('%s is shown at %s [2.46, 5.4, 8.12, WCAG 3.3.3]', async (code, name, words) => {
    const app = await drawRequired();
    fill();
    submit();
    await app.report(failed(code));
    expect(names.map((each) => field(each).value)).toEqual(['', '', '']);
    expect(focusedName()).toBe('currentPassword');
    expect(fieldError(name).isInvalid).toBe(true);
    expect(alerts()).toContain(words);
  });

  test('what is typed in a field removes the message of that field, until the next submission', async () => {
    const app = await drawRequired();
    fill();
    submit();
    await app.report(failed('invalid_new_password'));
    submit();
    enter(field('newPassword'), 'another one');
    const areInvalid = names.map((name) => fieldError(name).isInvalid);
    expect(areInvalid).toEqual([true, false, true]);
    fill();
    submit();
    await app.report(failed('invalid_new_password'));
    expect(fieldError('newPassword').isInvalid).toBe(true);
  });

  test.each(['invalid_credentials', 'invalid_new_password', 'passwords_do_not_match'] as const)(
    'for %s, the other faults that the page knows are shown too, until their fields are corrected',
    async (code) => {
      const app = await drawRequired({ policyLines: [{ line: 'minimumLength' }], minimumLength: 12 });
      type('currentPassword', 'old');
      enter(field('newPassword'), 'short');
      enter(field('newPasswordConfirmation'), 'shirt');
      submit();
      await app.report(failed(code));
      const isWrong = code === 'invalid_credentials';
      const areInvalid = (): boolean[] => names.map((name) => fieldError(name).isInvalid);
      expect(areInvalid()).toEqual([isWrong, true, true]);
      enter(field('currentPassword'), 'older');
      expect(areInvalid()).toEqual([false, true, true]);
      enter(field('newPassword'), 'one new password');
      expect(areInvalid()).toEqual([false, false, true]);
    },
  );

  test('the violated password rule is shown once, at its field, in the service’s text', async () => {
    const app = await drawRequired();
    fill();
    submit();
    await app.report(failed('invalid_new_password', 'It is one that many people use.'));
    expect(alerts()).toBe('It is one that many people use.');
    expect(fieldError('newPassword')).toEqual({ isInvalid: true, words: 'It is one that many people use.' });
  });

  test('without an answer the typed values stay, so that the visitor can send them again', async () => {
    const app = await drawRequired();
    fill();
    submit();
    await app.report({ type: 'AUTH_FAILED', failure: { kind: 'unreachable' } });
    expect(names.map((each) => field(each).value)).toEqual(['old', 'new', 'new']);
    submit();
    expect(app.calls('passwordReset')).toHaveLength(2);
  });

  test('an invalid phone number is shown with the service’s description [8.13]', async () => {
    const app = await drawRequired();
    fill();
    submit();
    await app.report(failed('mfa_invalid_phone_number', 'It is a landline.'));
    expect(alerts()).toMatch(/cannot send text messages.*It is a landline\./);
  });

  test('a missing second factor is shown for the whole form [2.46, 8.12, WCAG 3.3.3]', async () => {
    const app = await drawRequired();
    fill();
    submit();
    await app.report(failed('site_requires_mfa'));
    expect(alerts()).toContain('none that works here is set up for you');
    expect([field('newPassword').value, focusedName()]).toEqual(['', 'currentPassword']);
  });

  test.each(['validation_failed', 'internal_error', 'rate_limit_reached'] as const)(
    'a generic failure shows no message in the form: %s [8.14]',
    async (code) => {
      const app = await drawRequired();
      fill();
      submit();
      await app.report(failed(code));
      expect([alerts(), fieldError('currentPassword').isInvalid]).toEqual(['', false]);
      expect([field('newPassword').value, focusedName()]).toEqual(['', 'currentPassword']);
    },
  );
});

describe('the rules of the password', () => {
  const policy: PasswordPolicy = {
    minimumLength: 12,
    atLeast: 2,
    minimumDigits: 1,
    policyLines: [
      { line: 'minimumLength' },
      { line: 'maximumLength' },
      { line: 'atLeast', subPolicies: [{ line: 'minimumDigits' }, { line: 'unheardOf' }] },
    ],
  };

  test('are shown as texts with their numbers, nested rules below them [2.44, WCAG 3.3.2]', async () => {
    await drawRequired(policy);
    const lines = [...requireElement('main').querySelectorAll('li')].map(
      (line) => line.firstChild?.textContent,
    );
    expect(lines).toEqual(['At least 12 characters', 'At least 2 of these:', 'A digit']);
    expect(fieldError('newPassword').words).toContain('At least 12 characters');
  });

  test('are not shown as an empty list [2.44]', async () => {
    await drawRequired({ policyLines: [] });
    expect(requireElement('main').querySelector('li')).toBeNull();
  });

  test('show a generous maximum only while the new password is longer', async () => {
    await drawRequired({ policyLines: [{ line: 'maximumLength' }], maximumLength: 64 });
    const isShown = (): boolean => document.querySelector('[data-policy-line]') !== null;
    expect(isShown()).toBe(false);
    enter(field('newPassword'), 'a'.repeat(65));
    expect(isShown()).toBe(true);
  });

  test('announce once that the new password is long enough [WCAG 4.1.3]', async () => {
    await drawRequired(policy);
    const announced = (): string =>
      [...requireElement('main').querySelectorAll('[aria-live="polite"]')]
        .map(({ textContent }) => textContent)
        .join('');
    enter(field('newPassword'), 'short');
    expect(announced()).toBe('');
    enter(field('newPassword'), 'long enough now');
    expect(announced()).toBe('At least 12 characters (met)');
  });

  test('show which rules are met while a new password is typed, and nothing for an empty password', async () => {
    const app = await drawRequired({ ...policy, maximumLength: 13 });
    const met = (): (string | undefined)[] =>
      ['minimumLength', 'maximumLength', 'atLeast'].map(
        (line) => requireElement(`[data-policy-line="${line}"]`).dataset['met'],
      );
    const refused = (): (string | undefined)[] =>
      [...document.querySelectorAll<HTMLElement>('[data-refused]')].map(
        ({ dataset }) => dataset['policyLine'],
      );
    expect(met()).toEqual([undefined, undefined, undefined]);
    // Twelve code points after composing the accents, but more than 24 UTF-16 code units.
    enter(field('newPassword'), '\u{1F511}'.repeat(11) + 'e\u0301');
    expect(met()).toEqual(['true', 'true', undefined]);
    expect(requireElement('[data-policy-line=minimumLength]').textContent).toContain('(met)');
    enter(field('newPassword'), '\u{1F511}'.repeat(11));
    expect(met()).toEqual(['false', 'true', undefined]);
    expect(refused()).toEqual([]);
    enter(field('newPassword'), '');
    expect(met()).toEqual([undefined, undefined, undefined]);

    fill();
    enter(field('newPassword'), 'a new password 123');
    submit();
    await app.report(failed('invalid_new_password', undefined, 'atLeast'));
    // The service names one rule; the page knows that the password was also too long.
    expect(met()).toEqual([undefined, 'false', 'false']);
    expect(refused()).toEqual(['maximumLength', 'atLeast']);
    enter(field('newPassword'), 'short');
    expect([met(), refused()]).toEqual([['false', 'true', 'false'], []]);
    expect(document.documentElement.outerHTML).not.toContain('a new password 123');
  });

  test.each([
    ['with rules', policy, 2],
    ['without rules', undefined, 1],
  ])(
    'the new password field references its message, and the rules if there are any: %s',
    async (_, rules, count) => {
      await drawRequired(rules);
      const descriptions = (field('newPassword').getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id));
      expect(descriptions).toHaveLength(count);
      expect(descriptions).not.toContain(null);
    },
  );

  test('a line without a text or a number is omitted and reported [7.9]', async () => {
    const app = await drawRequired(policy);
    expect(app.effects('report').map(({ metric }) => metric.data?.['what'])).toEqual(
      expect.arrayContaining(['passwordPolicy.unheardOf', 'passwordPolicy.maximumLength']),
    );
  });
});

describe('the confirmation', () => {
  const words = 'The new passwords match.';
  const note = (): string =>
    [...requireElement('main').querySelectorAll('form > div > [aria-live]')]
      .map((one) => one.textContent)
      .join('');

  test('says while it is typed that it matches, and does not prevent a submission [5.4, 8.12]', async () => {
    const app = await drawRequired();
    type('currentPassword', 'old');
    enter(field('newPassword'), 'one new password');
    expect(note()).toBe('');
    enter(field('newPasswordConfirmation'), 'one new passwor');
    expect(note()).toBe('');
    enter(field('newPasswordConfirmation'), 'one new password');
    expect(note()).toBe(words);
    expect(fieldError('newPasswordConfirmation').words).toBe(words);
    enter(field('newPassword'), 'another');
    expect(note()).toBe('');
    submit();
    expect(app.calls('passwordReset')).toHaveLength(1);
  });

  test('that differs says so once it is left, and not while it is typed', async () => {
    const app = await drawRequired();
    const leave = (): void => act(() => field('newPasswordConfirmation').blur());
    enter(field('newPassword'), 'one new password');
    field('newPasswordConfirmation').focus();
    leave();
    expect(alerts()).toBe('');
    field('newPasswordConfirmation').focus();
    enter(field('newPasswordConfirmation'), 'another');
    expect(fieldError('newPasswordConfirmation').isInvalid).toBe(false);
    leave();
    expect(fieldError('newPasswordConfirmation').words).toBe('The new passwords do not match.');
    enter(field('newPassword'), 'another');
    expect(fieldError('newPasswordConfirmation').isInvalid).toBe(false);
    expect(app.calls('passwordReset')).toEqual([]);
  });

  test('says nothing while the new password breaks a rule', async () => {
    await drawRequired({ policyLines: [{ line: 'minimumLength' }], minimumLength: 12 });
    for (const name of ['newPassword', 'newPasswordConfirmation'] as const) enter(field(name), 'short');
    expect(note()).toBe('');
    for (const name of ['newPassword', 'newPasswordConfirmation'] as const)
      enter(field(name), 'one new password');
    expect(note()).toBe(words);
  });

  test('removes its rejection once it matches, and says nothing about cleared fields', async () => {
    const app = await drawRequired();
    fill();
    enter(field('newPassword'), 'new');
    expect(note()).toBe(words);
    submit();
    await app.report(failed('passwords_do_not_match'));
    expect(note()).toBe('');
    expect(fieldError('newPasswordConfirmation').isInvalid).toBe(true);
    enter(field('newPassword'), 'one new password');
    enter(field('newPasswordConfirmation'), 'one new password');
    expect(fieldError('newPasswordConfirmation')).toEqual({ isInvalid: false, words });
  });
});

describe('a voluntary change', () => {
  test('has the external-access theme, with help and a back link instead of a footer [2.12, 2.28, 2.43, 2.45]', async () => {
    await drawVoluntary();
    expect([step(), heading()]).toEqual(['password-reset-voluntary', 'Change password']);
    expect(requireElement('[data-card]').dataset['theme']).toBe('external-access');
    expect([findAction('global-support'), findAction('back')]).not.toContain(null);
    expect([findAction('privacy-policy'), findAction('language')]).toEqual([null, null]);
  });

  test.each(['back', 'cancel'])('%s leads to the cancel address [4.25, WCAG 3.3.4]', async (name) => {
    const app = await drawVoluntary('https://app.example/cancel');
    click(action(name));
    expect(app.effects('leave')).toEqual([{ type: 'leave', location: 'https://app.example/cancel' }]);
  });

  test('cancel without a cancel address leads to the credentials [4.25]', async () => {
    const app = await drawVoluntary();
    click(action('cancel'));
    await app.report();
    expect([step(), app.effects('leave')]).toEqual(['credentials', []]);
  });

  test('the theme ends with the page [2.45]', async () => {
    const app = await drawVoluntary();
    await app.report({ type: 'CRASHED' });
    expect([step(), requireElement('[data-card]').dataset['theme']]).toEqual(['error', undefined]);
  });
});

test('cancelling a required change leads back to the credentials [4.25]', async () => {
  const app = await drawRequired();
  click(action('cancel'));
  await app.report();
  expect(step()).toBe('credentials');
});
