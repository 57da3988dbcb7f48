// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { carryUserName, takeUserName } from '../../carried-user-name.ts';
import { click, requireElement } from '../../ui/testing/draw.tsx';
import { drawSignIn, returnUrl } from '../testing/draw-app.tsx';
import {
  action,
  alerts,
  field,
  fieldError,
  findAction,
  focusedName,
  heading,
  submit,
  type,
} from '../testing/page.ts';

const wrongPassword = {
  type: 'AUTH_FAILED',
  by: 'authenticate',
  failure: { kind: 'handled', status: 401, code: 'invalid_credentials' },
} as const;

describe('who is asked for what', () => {
  test('user name and password, under the name of the site, the focus in the first field', async () => {
    await drawSignIn();
    expect(heading()).toBe('Sign in to acme');
    expect([field('userName').autocomplete, field('password').autocomplete]).toEqual([
      'username',
      'current-password',
    ]);
    expect(focusedName()).toBe('userName');
  });

  test('a user name that is known is shown and cannot be changed', async () => {
    await drawSignIn({ userName: 'ada@acme.example' });
    expect([field('userName').value, field('userName').readOnly]).toEqual(['ada@acme.example', true]);
    expect(focusedName()).toBe('password');
  });

  test('the user name alone where no password may be entered, with a password field for password managers', async () => {
    await drawSignIn({}, { allowPasswordEntry: false });
    expect(requireElement('main button[type=submit]').textContent).toBe('Continue');
    expect(field('password').tabIndex).toBe(-1);
    expect(field('password').closest('[aria-hidden=true]')).not.toBeNull();
  });

  test('a user name that was looked up leads to the password', async () => {
    const app = await drawSignIn({}, { allowPasswordEntry: false });
    type('userName', '  ada ');
    submit();
    expect(app.effects('load-user-settings')).toEqual([
      { type: 'load-user-settings', usernameOrEmail: 'ada', site: 'acme' },
    ]);
    await app.report({
      type: 'USER_SETTINGS_LOADED',
      usernameOrEmail: 'ada',
      answer: { shouldRedirectToExternalAuth: false },
    });
    expect([field('userName').value, focusedName()]).toEqual(['ada', 'password']);
  });

  test('a password that a password manager filled in with the user name is there when it is asked for, in its field alone', async () => {
    const app = await drawSignIn({}, { allowPasswordEntry: false });
    type('userName', 'ada');
    type('password', 'very-secret');
    submit();
    await app.report({
      type: 'USER_SETTINGS_LOADED',
      usernameOrEmail: 'ada',
      answer: { shouldRedirectToExternalAuth: false },
    });
    expect([field('password').value, focusedName()]).toEqual(['very-secret', 'password']);
    expect(document.documentElement.outerHTML).not.toContain('very-secret');
    expect(JSON.stringify(app.state())).not.toContain('very-secret');
  });

  test('no user name where none may be entered', async () => {
    await drawSignIn({ allowUserNameEntry: false });
    expect(document.querySelector('input[name=userName]')).toBeNull();
  });

  test('a hint fills the user name unless it is known', async () => {
    await drawSignIn({ loginHint: 'hint@acme.example' });
    expect(field('userName').value).toBe('hint@acme.example');
  });

  test.each([
    ['elevate mode', { promptMethod: 'elevate' } as const, 'Confirm it is you'],
    ['re-authentication', { reauthRequested: true }, 'Please sign in again'],
  ])('%s has a heading of its own and still names the site', async (_, changes, words) => {
    await drawSignIn(changes);
    expect(heading()).toBe(words);
    expect(requireElement('main').textContent).toContain('Sign in to acme');
  });
});

describe('what is wrong is said at its field', () => {
  test('nothing entered: each field has its message, the first has the focus, nothing is sent', async () => {
    const app = await drawSignIn();
    submit();
    expect(fieldError('userName')).toEqual({
      isInvalid: true,
      words: 'Enter your user name or sign‑in e‑mail.',
    });
    expect(fieldError('password')).toEqual({ isInvalid: true, words: 'Enter your password.' });
    expect(focusedName()).toBe('userName');
    expect(app.effects('authenticate')).toEqual([]);
  });

  test('a user name of more than 100 characters is not sent, one of 100 is', async () => {
    const app = await drawSignIn();
    type('userName', 'x'.repeat(101));
    type('password', 'secret');
    submit();
    expect(fieldError('userName').words).toBe('Enter at most 100 characters.');
    type('userName', 'x'.repeat(100));
    submit();
    expect(app.effects('authenticate')).toHaveLength(1);
  });
});

describe('signing in', () => {
  test('sends the trimmed user name, the password as it is, the site and the return address', async () => {
    const app = await drawSignIn();
    type('userName', ' ada@acme.example ');
    type('password', ' quiet harbor ');
    submit();
    expect(app.effects('authenticate').map(({ body }) => body)).toEqual([
      {
        returnUrl,
        userName: 'ada@acme.example',
        password: ' quiet harbor ',
        site: 'acme',
        authSite: undefined,
      },
    ]);
  });

  test('is announced, shows that it is under way, and happens once however often it is pressed', async () => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'secret');
    submit();
    submit();
    expect(app.effects('authenticate')).toHaveLength(1);
    expect(requireElement('main').dataset['loading']).toBe('true');
    expect(
      [...document.querySelectorAll('[aria-live=assertive]')].map(({ textContent }) => textContent),
    ).toContain('Signing you in.');
    expect(document.activeElement).not.toBe(document.body);
  });

  test('the password stands in the field alone, never in the state and never in an attribute', async () => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'very-secret');
    submit();
    expect(document.documentElement.outerHTML).not.toContain('very-secret');
    expect(JSON.stringify(app.state())).not.toContain('very-secret');
  });
});

describe('after a failure', () => {
  test('a wrong password is cleared and focused, the user name is kept, the message is said at once', async () => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'wrong');
    submit();
    await app.report(wrongPassword);
    expect([field('userName').value, field('password').value, focusedName()]).toEqual([
      'ada',
      '',
      'password',
    ]);
    expect(fieldError('password').isInvalid).toBe(true);
    expect(alerts()).toBe('User name or password is incorrect. Try again.');
  });

  test('the second of two equal failures clears the password as well', async () => {
    const app = await drawSignIn();
    for (const password of ['one', 'two']) {
      type('userName', 'ada');
      type('password', password);
      submit();
      await app.report(wrongPassword);
      expect(field('password').value).toBe('');
    }
  });

  test.each([
    ['mfa_invalid_phone_number', 'We cannot send a text message'],
    ['site_requires_mfa', 'we have no mobile number for you'],
  ])('%s stands above the form', async (code, words) => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'secret');
    submit();
    await app.report({ ...wrongPassword, failure: { kind: 'handled', status: 400, code } });
    expect(alerts()).toContain(words);
    expect(fieldError('password').isInvalid).toBe(false);
  });

  test('a generic failure says nothing in the form; the words of the service are a notification', async () => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'secret');
    submit();
    await app.report({
      ...wrongPassword,
      failure: { kind: 'handled', status: 400, code: 'validation_failed', description: 'Closed for today' },
    });
    expect(alerts()).toBe('');
    expect(requireElement('[data-notification=error]').textContent).toContain('Closed for today');
    expect(field('password').value).toBe('');
  });

  test('without an answer what was typed stays, to be sent again', async () => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'secret');
    submit();
    await app.report({ ...wrongPassword, failure: { kind: 'unreachable' } });
    expect([field('userName').value, field('password').value]).toEqual(['ada', 'secret']);
    submit();
    await app.report(wrongPassword);
    expect(field('password').value).toBe('');
  });

  test('a sign-in that begins anew under the form takes the password away', async () => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'secret');
    submit();
    await app.report({ ...wrongPassword, failure: { kind: 'unauthorised', status: 401 } });
    expect([field('userName').value, field('password').value]).toEqual(['ada', '']);
  });
});

describe('the links', () => {
  test('forgotten credentials: the address is told the language and who asked', async () => {
    await drawSignIn({}, { locale: 'de' });
    const address = new URL(action('forgot-credentials').getAttribute('href') ?? '');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      culture: 'de',
      refererClientId: 'director',
      refererScopes: 'openid profile',
      refererRedirectUri: 'https://app.example/callback?x=1',
    });
  });

  test.each([
    ['/ui/recovery/forgotten-password', 'ada@acme.example'],
    ['https://elsewhere.example/forgotten', undefined],
  ])('forgotten credentials takes the typed user name to %s: %s', async (forgotPasswordUrl, carried) => {
    await drawSignIn({ forgotPasswordUrl });
    type('userName', ' ada@acme.example ');
    const link = action('forgot-credentials');
    const listening = new AbortController();
    carryUserName(listening.signal);
    link.addEventListener('click', (event) => event.preventDefault());
    click(link);
    listening.abort();
    expect(link.getAttribute('href')).not.toContain('ada');
    expect([takeUserName(), takeUserName()]).toEqual([carried, undefined]);
  });

  test.each([
    ['recovery is switched off', { loginFlowCustomizations: { signInCredentialsRecoveryDisabled: true } }],
    ['the service names no address', { forgotPasswordUrl: undefined }],
    ['the address is no web address', { forgotPasswordUrl: 'javascript:alert(1)' }],
  ])('none for forgotten credentials when %s', async (_, changes) => {
    await drawSignIn(changes);
    expect(findAction('forgot-credentials')).toBeNull();
  });

  test('back to site only when a site may be entered', async () => {
    await drawSignIn({ allowDefaultSiteEntry: false });
    expect(findAction('back-to-site')).toBeNull();
  });

  test('an application that wants no links gets words about support, no link', async () => {
    await drawSignIn({ loginFlowCustomizations: { languageSelectionAndLinksDisabled: true } });
    expect(requireElement('main').textContent).toContain('Your board office can help.');
    expect(['global-support', 'privacy-policy', 'language'].map(findAction)).toEqual([null, null, null]);
  });
});
