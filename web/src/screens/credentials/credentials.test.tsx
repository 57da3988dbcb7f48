// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { requireElement } from '../../ui/testing/draw.tsx';
import { drawSignIn, returnUrl } from '../testing/draw-app.tsx';
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

const wrongPassword = {
  type: 'AUTH_FAILED',
  failure: { kind: 'handled', status: 401, code: 'invalid_credentials' },
} as const;

describe('the requested fields', () => {
  test('shows user name and password under the name of the site, with the focus in the first field [2.33, 2.39]', async () => {
    await drawSignIn();
    expect(heading()).toBe('Sign in to acme');
    expect([field('userName').autocomplete, field('password').autocomplete]).toEqual([
      'username',
      'current-password',
    ]);
    expect(focusedName()).toBe('userName');
  });

  test('names no site in the heading if none is known [2.39]', async () => {
    await drawSignIn({ defaultSite: undefined, allowDefaultSiteEntry: false });
    expect([step(), heading()]).toEqual(['credentials', 'Sign in']);
  });

  test('shows a known user name as read-only, and requests only the password [2.36]', async () => {
    const app = await drawSignIn({ userName: 'ada@acme.example' });
    expect([field('userName').value, field('userName').readOnly]).toEqual(['ada@acme.example', true]);
    expect(focusedName()).toBe('password');
    type('password', 'secret');
    submit();
    expect(app.calls('authenticate')[0]?.body).toMatchObject({
      userName: 'ada@acme.example',
      password: 'secret',
      site: 'acme',
    });
  });

  test('shows only the user name if no password can be entered, with a hidden password field for password managers [2.35, 2.40, 4.17, 6.3, WCAG 3.3.8]', async () => {
    await drawSignIn({}, { allowPasswordEntry: false });
    expect(requireElement('main button[type=submit]').textContent).toBe('Continue');
    expect(field('password').tabIndex).toBe(-1);
    expect(field('password').closest('[aria-hidden=true]')).not.toBeNull();
  });

  test('a looked-up user name leads to the password [2.35, 4.17, WCAG 3.3.7]', async () => {
    const app = await drawSignIn({}, { allowPasswordEntry: false });
    type('userName', '  ada ');
    submit();
    expect(app.calls('getUserSettings')).toEqual([
      { query: { returnUrl, usernameOrEmail: 'ada', site: 'acme' } },
    ]);
    await app.report({
      type: 'USER_SETTINGS_LOADED',
      usernameOrEmail: 'ada',
      answer: { shouldRedirectToExternalAuth: false },
    });
    expect([field('userName').value, focusedName()]).toEqual(['ada', 'password']);
  });

  test('a password that a password manager filled in with the user name is kept for the password field', async () => {
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

  test('shows no user name if none can be entered', async () => {
    await drawSignIn({ allowUserNameEntry: false });
    expect(document.querySelector('input[name=userName]')).toBeNull();
  });

  test.each([
    ['an editable user name', {}, ['hint@acme.example', false]],
    ['no known user name', { userName: 'ada' }, ['ada', true]],
    ['no user name that cannot be entered', { allowUserNameEntry: false }, [undefined, undefined]],
  ])('a hint fills in %s', async (_, changes, shown) => {
    await drawSignIn({ loginHint: 'hint@acme.example', ...changes });
    const userName = document.querySelector<HTMLInputElement>('main input[name=userName]');
    expect([userName?.value, userName?.readOnly]).toEqual(shown);
  });

  test.each([
    ['elevate mode', { promptMethod: 'elevate' } as const, 'Confirm it is you'],
    ['re-authentication', { reauthRequested: true }, 'Please sign in again'],
  ])('%s has its own heading and still names the site [2.38]', async (_, changes, words) => {
    await drawSignIn(changes);
    expect(heading()).toBe(words);
    expect(requireElement('main').textContent).toContain('Sign in to acme');
  });
});

describe('validation', () => {
  test('empty fields have a message each, the first gets the focus, and nothing is sent [4.21, 5.3, WCAG 3.3.1]', async () => {
    const app = await drawSignIn();
    submit();
    expect(fieldError('userName')).toEqual({
      isInvalid: true,
      words: 'Enter your user name or sign‑in e‑mail.',
    });
    expect(fieldError('password')).toEqual({ isInvalid: true, words: 'Enter your password.' });
    expect(focusedName()).toBe('userName');
    type('userName', 'ada');
    submit();
    expect([focusedName(), fieldError('userName').isInvalid]).toEqual(['password', false]);
    expect(app.calls('authenticate')).toEqual([]);
  });

  test('an empty user name alone has a message and is not looked up [2.35]', async () => {
    const app = await drawSignIn({}, { allowPasswordEntry: false });
    submit();
    expect(fieldError('userName')).toEqual({
      isInvalid: true,
      words: 'Enter your user name or sign‑in e‑mail.',
    });
    type('userName', 'ada');
    submit();
    expect(app.calls('getUserSettings')).toHaveLength(1);
  });

  test.each(['   ', '\u2068\u2069', '\u200B'])('the user name %j counts as empty [5.2]', async (typed) => {
    const app = await drawSignIn();
    type('userName', typed);
    type('password', 'secret');
    submit();
    expect(fieldError('userName').isInvalid).toBe(true);
    expect(app.calls('authenticate')).toEqual([]);
  });

  test('a user name is sent without invisible characters and the spaces around it [5.2]', async () => {
    const app = await drawSignIn();
    type('userName', ' \u2068ada@demo.example\u2069 ');
    type('password', ' a\u200Db ');
    submit();
    expect(app.calls('authenticate')).toMatchObject([
      { body: { userName: 'ada@demo.example', password: ' a\u200Db ' } },
    ]);
  });

  test('a user name of 101 characters is not sent, and a user name of 100 characters is [5.2]', async () => {
    const app = await drawSignIn();
    type('userName', 'x'.repeat(101));
    type('password', 'secret');
    submit();
    expect(fieldError('userName').words).toBe('Enter at most 100 characters.');
    type('userName', 'x'.repeat(100));
    submit();
    expect(app.calls('authenticate')).toHaveLength(1);
  });
});

describe('signing in', () => {
  test('sends the trimmed user name, the unchanged password, the site and the return address [5.2]', async () => {
    const app = await drawSignIn();
    type('userName', ' ada@acme.example ');
    type('password', ' quiet harbor ');
    submit();
    expect(app.calls('authenticate').map(({ body }) => body)).toEqual([
      {
        returnUrl,
        userName: 'ada@acme.example',
        password: ' quiet harbor ',
        site: 'acme',
        authSite: undefined,
      },
    ]);
  });

  test('is announced, shows progress, and happens once, no matter how often the button is pressed [2.41, 4.21, WCAG 4.1.3]', async () => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'secret');
    submit();
    submit();
    expect(app.calls('authenticate')).toHaveLength(1);
    expect(requireElement('main').dataset['loading']).toBe('true');
    expect(
      [...document.querySelectorAll('[aria-live=assertive]')].map(({ textContent }) => textContent),
    ).toContain('Signing you in.');
    expect(document.activeElement).not.toBe(document.body);
  });

  test('the password exists only in the field, not in the state or in an attribute', async () => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'very-secret');
    submit();
    expect(document.documentElement.outerHTML).not.toContain('very-secret');
    expect(JSON.stringify(app.state())).not.toContain('very-secret');
  });
});

describe('after a failure', () => {
  test('a wrong password is cleared and focused, the user name stays, and the message is announced [2.42, WCAG 2.4.3]', async () => {
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
    expect(alerts()).toBe('User name or password is incorrect.');
  });

  test('a wrong password is cleared where the browser offers passkeys at its field', async () => {
    const app = await drawSignIn();
    field('password').autocomplete = 'current-password webauthn';
    type('userName', 'ada');
    type('password', 'wrong');
    submit();
    await app.report(wrongPassword);
    expect(field('password').value).toBe('');
  });

  test('a repeated failure clears the password again', async () => {
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
    ['mfa_invalid_phone_number', 'We cannot send text messages'],
    ['site_requires_mfa', 'none that works here is set up for you'],
  ] as const)('%s is shown above the form [8.7]', async (code, words) => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'secret');
    submit();
    await app.report({ ...wrongPassword, failure: { kind: 'handled', status: 400, code } });
    expect(alerts()).toContain(words);
    expect(fieldError('password').isInvalid).toBe(false);
  });

  test('in elevate mode site_requires_mfa is shown in the form, and the page stays', async () => {
    const app = await drawSignIn({
      promptMethod: 'elevate',
      userName: 'ada',
      session: { state: 'valid', authSite: 'acme', isExternallyAuthenticated: false },
    });
    type('password', 'secret');
    submit();
    const failure = { kind: 'handled', status: 401, code: 'site_requires_mfa' } as const;
    await app.report({ type: 'AUTH_FAILED', failure });
    expect(step()).toBe('elevate');
    expect(alerts()).toContain('none that works here is set up for you');
  });

  test('a session that cannot be changed is shown as a notification, not in the form [8.7]', async () => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'secret');
    submit();
    const failure = { kind: 'handled', status: 400, code: 'session_migration_failure' } as const;
    await app.report({ ...wrongPassword, failure });
    expect([step(), alerts(), field('password').value]).toEqual(['credentials', '', '']);
    expect(requireElement('[data-notification=error]').textContent).toContain('Something went wrong');
  });

  test('a generic failure shows no message in the form and the service’s text as a notification [8.8, 8.19]', async () => {
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

  test('without an answer the typed values stay, so that the visitor can send them again', async () => {
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

  test('a restart of the sign-in clears the password', async () => {
    const app = await drawSignIn();
    type('userName', 'ada');
    type('password', 'secret');
    submit();
    await app.report({ ...wrongPassword, failure: { kind: 'unauthorised', status: 401 } });
    expect([field('userName').value, field('password').value]).toEqual(['ada', '']);
  });
});

describe('a confirmation of the password', () => {
  const session = { state: 'valid', authSite: 'acme', isExternallyAuthenticated: false } as const;
  const signedIn = { userName: 'ada', session };

  test('in elevate mode names the user, has no link to another site, and sends the site of the session [2.8, 2.37]', async () => {
    const app = await drawSignIn({ ...signedIn, promptMethod: 'elevate' });
    expect([step(), heading(), focusedName()]).toEqual(['elevate', 'Confirm it is you', 'password']);
    expect([field('userName').value, field('userName').readOnly, findAction('back-to-site')]).toEqual([
      'ada',
      true,
      null,
    ]);
    type('password', 'secret');
    submit();
    expect(app.calls('authenticate')[0]?.body).toMatchObject({ ...sent, authSite: 'acme' });
  });

  test('for a site that requires it has its own title and heading, and sends that site [2.9]', async () => {
    const app = await drawSignIn(signedIn);
    await app.report({ type: 'AUTH_ANSWERED', by: 'authenticate', answer: { status: 'password_required' } });
    expect([step(), heading(), focusedName()]).toEqual([
      'password-required',
      'Confirm your password',
      'password',
    ]);
    expect(document.title).toMatch(/^Confirm your password/);
    type('password', 'secret');
    submit();
    expect(app.calls('authenticate').at(-1)?.body).toMatchObject(sent);
  });

  const sent = { userName: 'ada', password: 'secret', site: 'acme', returnUrl };
});

describe('the links', () => {
  test('the link for forgotten credentials has the language and the requesting client [7.11]', async () => {
    await drawSignIn({ forgotPasswordUrl: 'https://app.example/forgot?tenant=7' }, { locale: 'de' });
    const address = new URL(action('forgot-credentials').getAttribute('href') ?? '');
    expect(address.origin + address.pathname).toBe('https://app.example/forgot');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      tenant: '7',
      culture: 'de',
      refererClientId: 'director',
      refererScopes: 'openid profile',
      refererRedirectUri: 'https://app.example/callback?x=1',
    });
  });

  test.each([
    [
      'the application disables recovery',
      { loginFlowCustomizations: { signInCredentialsRecoveryDisabled: true } },
    ],
    ['there is no address', { forgotPasswordUrl: undefined }],
    ['the address is not http(s)', { forgotPasswordUrl: 'javascript:alert(1)' }],
  ])('no link for forgotten credentials when %s [2.34, 5.7]', async (_, changes) => {
    await drawSignIn(changes);
    expect(findAction('forgot-credentials')).toBeNull();
  });

  test('an entered site replaces the address for forgotten credentials [3.4]', async () => {
    const app = await drawSignIn();
    await app.report(
      { type: 'BACK_TO_SITE' },
      { type: 'SITE_ENTERED', site: 'harbor' },
      {
        type: 'SITE_CHECKED',
        site: 'harbor',
        answer: { siteExists: true, forgotPasswordUrl: 'https://harbor.example/forgot' },
      },
      { type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry: true } },
    );
    expect(action('forgot-credentials').getAttribute('href')).toMatch(/^https:\/\/harbor\.example\/forgot\?/);
  });

  test('a line above the footer with the link to support says who helps [2.34, WCAG 3.2.6]', async () => {
    await drawSignIn();
    expect(requireElement('main').textContent).toContain('Trouble signing in? Your board office can help.');
    expect(requireElement('footer [data-action=global-support]').getAttribute('href')).toBe(
      'https://help.example/',
    );
  });

  test('back to site is shown only if a site can be entered [2.7, 6.3]', async () => {
    await drawSignIn({ allowDefaultSiteEntry: false });
    expect(findAction('back-to-site')).toBeNull();
  });

  test('an application without links keeps the line that says who helps [2.24, WCAG 3.2.6]', async () => {
    await drawSignIn({ loginFlowCustomizations: { languageSelectionAndLinksDisabled: true } });
    expect(requireElement('main').textContent).toContain('Your board office can help.');
    expect(['global-support', 'privacy-policy', 'language'].map(findAction)).toEqual([null, null, null]);
  });
});
