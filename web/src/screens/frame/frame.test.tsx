// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { click, requireElement } from '../../ui/testing/draw.tsx';
import { contextOf, drawApp, drawSignIn, returnUrl } from '../testing/draw-app.tsx';
import type { DrawnApp } from '../testing/draw-app.tsx';
import { action, findAction, focusedName, step } from '../testing/page.ts';

const notes = (): string[] =>
  [...document.querySelectorAll('[data-notification]')].map(({ textContent }) => textContent);

const drawElevate = (changes = {}): Promise<DrawnApp> =>
  drawSignIn({
    promptMethod: 'elevate',
    userName: 'ada',
    session: { state: 'valid', authSite: 'acme', isExternallyAuthenticated: false },
    ...changes,
  });

test.each([
  ['en', 'Sign in · Anteroom'],
  ['de', 'Anmelden · Anteroom'],
] as const)('the title of the document is that of the step, in %s', async (locale, title) => {
  await drawSignIn({}, { locale });
  expect(document.title).toBe(title);
});

describe('the card', () => {
  test('loses its shadow when the nested UI is eliminated', async () => {
    await drawSignIn({ loginFlowCustomizations: { nestedUIEliminated: true } });
    expect(requireElement('[data-card]').hasAttribute('data-flat')).toBe(true);
  });

  test('has the logo as its first heading and the step as its second', async () => {
    await drawSignIn();
    expect([...document.querySelectorAll('h1, h2')].map(({ textContent }) => textContent)).toEqual([
      'Anteroom',
      'Sign in to acme',
    ]);
  });
});

describe('the footer', () => {
  test.each([
    ['en', 'https://help.example/privacy'],
    ['pt', 'https://help.example/privacy/pt-br'],
    ['zh', 'https://help.example/privacy/zh-hans'],
    ['he', 'https://help.example/privacy/he'],
  ] as const)('leads to the privacy policy of %s, in a new tab', async (locale, address) => {
    await drawSignIn({}, { locale });
    expect([
      action('privacy-policy').getAttribute('href'),
      action('privacy-policy').getAttribute('target'),
    ]).toEqual([address, '_blank']);
  });

  test('leaves out what the installation does not name', async () => {
    await drawApp({ entry: { kind: 'login' }, returnUrl }, [
      { type: 'CONFIG_LOADED', config: {} },
      { type: 'CONTEXT_LOADED', context: contextOf({ identityServiceUrl: undefined }) },
    ]);
    expect([step(), findAction('global-support'), findAction('privacy-policy')]).toEqual([
      'site-entry',
      null,
      null,
    ]);
  });
});

describe('the links above the content', () => {
  test('back to boards leads to the cancel address, else to where the application lives', async () => {
    await drawElevate();
    expect(action('back-to-boards').getAttribute('href')).toBe('https://app.example/cancel');
  });

  test('back to boards falls back on the address of the application', async () => {
    await drawElevate({ cancelRedirectUri: undefined, originalClientUri: 'https://app.example/' });
    expect(action('back-to-boards').getAttribute('href')).toBe('https://app.example/');
  });

  test('back to boards is not there without an address that may be followed', async () => {
    await drawElevate({ cancelRedirectUri: 'javascript:alert(1)' });
    expect(findAction('back-to-boards')).toBeNull();
  });

  test('back to site leads to site entry and keeps the return address', async () => {
    const app = await drawSignIn();
    expect(action('back-to-site').getAttribute('href')).toContain(
      `ReturnUrl=${encodeURIComponent('/connect/')}`,
    );
    click(action('back-to-site'));
    await app.report();
    expect([step(), focusedName()]).toEqual(['site-entry', 'site']);
  });

  test('the back link of password-required is there when the wizard has come from somewhere', async () => {
    const app = await drawSignIn();
    await app.report({ type: 'AUTH_ANSWERED', by: 'authenticate', answer: { status: 'password_required' } });
    expect(step()).toBe('password-required');
    click(action('back'));
    await app.report();
    expect(step()).toBe('credentials');
  });
});

describe('notifications', () => {
  const notice = (messageKey: string) =>
    ({ type: 'NOTICE_FOUND', notice: { level: 'info', messageKey, durationMs: 0 } }) as const;

  test('stand in a live region, in the language that is shown', async () => {
    const app = await drawSignIn({}, { locale: 'de' });
    await app.report(notice('error.unauthorized'));
    expect(notes()[0]).toContain('Sitzung');
    expect(requireElement('[data-notification=info]').closest('[aria-live]')).not.toBeNull();
  });

  test.each(['no.such.key', 'constructor', 'login'])(
    'a key without a text, %s, is not shown',
    async (key) => {
      const app = await drawSignIn();
      await app.report(notice(key));
      expect(notes()).toEqual([]);
    },
  );

  test('can be dismissed, and the focus is not lost with them', async () => {
    const app = await drawSignIn();
    await app.report(notice('error.unauthorized'));
    action('dismiss').focus();
    click(action('dismiss'));
    expect(notes()).toEqual([]);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(focusedName()).toBe('userName');
  });
});
