// @vitest-environment happy-dom
import { act } from 'react';
import { describe, expect, test } from 'vitest';
import { click, enter, requireElement } from '../../ui/testing/draw.tsx';
import { drawRecovery } from './testing.tsx';

const field = (name: string): HTMLInputElement => requireElement(`input[name="${name}"]`);
const heading = (): string => requireElement('main h2').textContent;
const announced = (): string =>
  [...document.querySelectorAll('[aria-live="polite"]')].map(({ textContent }) => textContent).join('');

describe('a forgotten password', () => {
  test('has its own title and step, and the focus in its field', () => {
    drawRecovery('forgotten-password');
    expect(requireElement('main').dataset['step']).toBe('forgotten-password');
    expect(document.title).toBe('Forgot your password? · Anteroom');
    expect(document.activeElement).toBe(field('userName'));
    expect(field('userName').autocomplete).toBe('username');
  });

  test('an empty name shows a message at the field, and nothing is sent', async () => {
    const { sent, submit } = drawRecovery('forgotten-password');
    enter(field('userName'), '   ');
    await submit();
    expect(sent).toEqual([]);
    expect(field('userName').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field('userName'));
  });

  test('the name is sent with the requesting client; the answer is announced and focused', async () => {
    const referer = { refererClientId: 'director', refererRedirectUri: 'https://boards.example/back' };
    const { sent, submit } = drawRecovery('forgotten-password', { referer });
    enter(field('userName'), ' \u2068ada@demo.example\u2069 ');
    await submit();
    expect(sent).toEqual([{ name: 'sendPasswordLink', body: { ...referer, userName: 'ada@demo.example' } }]);
    expect(heading()).toBe('Check your e‑mail');
    expect(document.activeElement?.textContent).toBe(heading());
    expect(announced()).toContain(
      'If an account matches, a message with a link is on its way. The link is valid for 30 minutes.',
    );
  });

  test('the sent page says where else to look', async () => {
    const { submit } = drawRecovery('forgotten-password');
    enter(field('userName'), 'ada');
    await submit();
    expect(requireElement('main').textContent).toContain('Look in your spam folder too.');
  });

  test('the sent page shows and announces what was typed', async () => {
    const { submit } = drawRecovery('forgotten-password');
    enter(field('userName'), 'secretry@demo.example');
    await submit();
    expect(requireElement('main [data-user-name]').textContent).toBe('secretry@demo.example');
    expect(announced()).toContain('secretry@demo.example');
  });

  test('a visitor can change what was typed', async () => {
    const { submit } = drawRecovery('forgotten-password');
    enter(field('userName'), 'adda');
    await submit();
    click(requireElement('[data-action="start-again"]'));
    expect(field('userName').value).toBe('adda');
    expect(document.activeElement).toBe(field('userName'));
  });

  test('“Send again” requests as many messages as the service sends; each is announced, and a failure is shown', async () => {
    const { sent, failNext, submit } = drawRecovery('forgotten-password');
    enter(field('userName'), 'ada');
    await submit();
    const again = async (): Promise<void> => {
      click(requireElement('main button:not([data-action])'));
      await act(async () => {});
    };
    await again();
    expect(sent.map(({ body }) => body)).toMatchObject([{ userName: 'ada' }, { userName: 'ada' }]);
    expect(announced()).toContain('another message is on its way');
    failNext({ kind: 'unreachable' });
    await again();
    expect(requireElement('main [role="alert"]').textContent).toContain('We cannot reach the service.');
    await again();
    expect(announced()).toContain('We send no more for 30 minutes.');
    expect([
      document.querySelector('main button:not([data-action])'),
      document.activeElement?.tagName,
    ]).toEqual([null, 'H2']);
  });

  test.each([
    [{ kind: 'unreachable' }, 'We cannot reach the service.'],
    [{ kind: 'handled', status: 429, code: 'rate_limit_reached' }, 'There were too many requests.'],
    [
      { kind: 'handled', status: 429, code: 'rate_limit_reached', retryAfterSeconds: 600 },
      'Wait 10 minutes, then try again.',
    ],
    [{ kind: 'handled', status: 503, code: 'overloaded' }, 'There were too many requests.'],
    [{ kind: 'unexpected', status: 403, code: 'forbidden' }, 'Something went wrong.'],
    [{ kind: 'unexpected', status: 403, code: 'csrf_failed' }, `Allow cookies for ${location.host}`],
  ] as const)('%o is shown in the form, which stays', async (failure, words) => {
    const { failNext, submit } = drawRecovery('forgotten-password');
    enter(field('userName'), 'ada');
    failNext(failure);
    await submit();
    expect(requireElement('main [role="alert"]').textContent).toContain(words);
    expect(field('userName').value).toBe('ada');
  });

  test('the link back to the sign-in is shown if the service knows it', () => {
    const context = { linkValidityInMinutes: 30, loginFlowCustomizations: undefined };
    const signInUrl = 'https://id.example/ui/account/login?ReturnUrl=x';
    drawRecovery('forgotten-password', { context: { ...context, signInUrl } });
    expect(requireElement<HTMLAnchorElement>('a[data-action="back"]').href).toBe(signInUrl);
  });

  test('there is no link back to the sign-in if the service does not know it', () => {
    drawRecovery('forgotten-password');
    expect(document.querySelector('a[data-action="back"]')).toBeNull();
  });

  test('the recovery pages hide languages and links if the application says so', () => {
    const loginFlowCustomizations = {
      languageSelectionAndLinksDisabled: true,
      publicComputerSignInDisabled: undefined,
      signInCredentialsRecoveryDisabled: undefined,
      nestedUIEliminated: true,
    };
    drawRecovery('forgotten-password', {
      context: { linkValidityInMinutes: 30, signInUrl: undefined, loginFlowCustomizations },
    });
    expect(document.querySelector('footer')).toBeNull();
    expect(document.querySelector('[data-card][data-flat]')).not.toBeNull();
  });
});

describe('a forgotten site', () => {
  test.each([
    ['', 'Enter your e‑mail address.'],
    ['ada', 'Enter an address like name@example.com.'],
    [`${'a'.repeat(250)}@b.example`, 'Enter at most 254 characters.'],
  ])('%j shows a message at the field, and nothing is sent', async (email, words) => {
    const { sent, submit } = drawRecovery('forgotten-site');
    enter(field('email'), email);
    await submit();
    expect(sent).toEqual([]);
    expect(field('email').closest('form')?.textContent).toContain(words);
    expect(document.activeElement).toBe(field('email'));
  });

  test('an address that was typed at site entry is sent at once and shown', async () => {
    const { sent, submit } = drawRecovery('forgotten-site', { userName: 'ada@demo.example' });
    expect(sent).toMatchObject([{ name: 'sendSiteNames', body: { email: 'ada@demo.example' } }]);
    await submit();
    expect(heading()).toBe('Check your e‑mail');
    expect(requireElement('main [data-user-name]').textContent).toBe('ada@demo.example');
  });

  test.each([
    'ada@demo.example',
    '\u200Eada@demo.example',
    'mailto:ada@demo.example',
    'Ada Holm <ada@demo.example>',
  ])(
    'the e-mail address in %j is sent, and the answer does not reveal whether it is known',
    async (typed) => {
      const { sent, submit } = drawRecovery('forgotten-site');
      enter(field('email'), typed);
      await submit();
      expect(sent).toMatchObject([{ name: 'sendSiteNames', body: { email: 'ada@demo.example' } }]);
      expect(heading()).toBe('Check your e‑mail');
      expect(announced()).toContain('If an account matches, a message with your site names is on its way.');
    },
  );

  test('is shown in Arabic from right to left', () => {
    drawRecovery('forgotten-site', {}, 'ar');
    expect(document.documentElement.dir).toBe('rtl');
    expect(heading()).toBe('هل نسيت اسم البوابة؟');
  });
});

describe('“This wasn’t me”', () => {
  test('lists what the button does before it does it', async () => {
    const { sent, submit } = drawRecovery('not-me', {
      link: { state: 'open', token: 'one', facts: undefined },
    });
    expect([...document.querySelectorAll('main li')].map(({ textContent }) => textContent)).toEqual([
      'We sign you out everywhere.',
      'We disable your password.',
      'We remove passkeys, authenticator apps and phone numbers that were added in the last 7 days.',
      'We e‑mail you a link to choose a new password.',
    ]);
    expect(requireElement('main button[type=submit]').textContent).toBe('Secure my account');
    expect(sent).toEqual([]);
    await submit();
    expect(sent).toEqual([{ name: 'refuseChange', body: { token: 'one' } }]);
  });

  test('offers no other step than the e-mail after the account is secured', async () => {
    const config = { homeUri: 'https://boards.example/', globalSupportUrl: 'https://support.example/' };
    const { submit } = drawRecovery('not-me', {
      link: { state: 'open', token: 'one', facts: undefined },
      config,
    });
    await submit();
    expect(heading()).toBe('Check your e‑mail');
    const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')];
    expect(
      links
        .filter((link) => !link.closest('footer'))
        .map(({ textContent, pathname }) => [textContent, pathname]),
    ).toEqual([['Request a new link', '/ui/recovery/forgotten-password']]);
  });
});
