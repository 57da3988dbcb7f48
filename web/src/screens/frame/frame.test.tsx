// @vitest-environment happy-dom
import { act } from 'react';
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
] as const)('the document title is the title of the step, in %s [2.7, WCAG 2.4.2]', async (locale, title) => {
  await drawSignIn({}, { locale });
  expect(document.title).toBe(title);
});

describe('the card', () => {
  test('has no shadow if the nested UI is eliminated [2.26]', async () => {
    await drawSignIn({ loginFlowCustomizations: { nestedUIEliminated: true } });
    expect(requireElement('[data-card]').hasAttribute('data-flat')).toBe(true);
  });

  test('has the logo as its first heading and the step as its second [2.23, WCAG 1.3.1, 3.2.3]', async () => {
    await drawSignIn();
    expect([...document.querySelectorAll('h1, h2')].map(({ textContent }) => textContent)).toEqual([
      'Anteroom',
      'Sign in to acme',
    ]);
  });
});

describe('the header of the organisation', () => {
  const organisation = { defaultSiteDisplayName: 'Acme Trust', defaultSiteLogoPath: '/logos/acme.svg' };
  const header = (): HTMLElement => requireElement('[data-site-header]');
  const findHeader = (): Element | null => document.querySelector('[data-site-header]');
  const secondFactor = {
    type: 'AUTH_ANSWERED',
    by: 'authenticate',
    answer: { status: 'second_factor_required' },
  } as const;

  test('shows logo and heading in one row, and the name of the organisation once', async () => {
    await drawSignIn(organisation);
    expect(header().textContent).toBe('Sign in to Acme Trust');
    expect(requireElement('[data-site-header] img').getAttribute('src')).toMatch(/\/logos\/acme\.svg$/);
    expect(requireElement('[data-site-header] h2').textContent).toBe('Sign in to Acme Trust');
    expect(requireElement('[data-card]').textContent.match(/Acme Trust/g)).toHaveLength(1);
  });

  test('shows the name above a heading that does not contain it', async () => {
    const app = await drawSignIn(organisation);
    await app.report(secondFactor);
    expect([step(), header().textContent]).toEqual(['second-factor-required', 'Acme TrustEnter your code']);
  });

  test.each([
    ['there is no logo', undefined],
    ['its address is unsafe', 'javascript:alert(1)'],
  ])('has no logo when %s', async (_, defaultSiteLogoPath) => {
    await drawSignIn({ ...organisation, defaultSiteLogoPath });
    expect([document.querySelector('[data-site-header] img'), header().textContent]).toEqual([
      null,
      'Sign in to Acme Trust',
    ]);
  });

  test('hides a logo that cannot be loaded', async () => {
    await drawSignIn(organisation);
    act(() => void requireElement('[data-site-header] img').dispatchEvent(new Event('error')));
    expect(requireElement('[data-site-header] img').hidden).toBe(true);
  });

  test('is not shown if the service names no organisation', async () => {
    await drawSignIn();
    expect(findHeader()).toBeNull();
  });

  test('shows the site selected from the list', async () => {
    const chosen = {
      name: 'beta',
      displayName: 'Beta Fund',
      sequence: 1,
      areEntitlementRequirementsMet: true,
      mfaRequirementMet: true,
    };
    const siteList = {
      sites: [chosen, { ...chosen, name: 'gamma' }],
      userFirstName: 'Ada',
      userLastName: 'Byron',
      boardsUserName: 'ada',
      directorToDoItemsEnabled: false,
    };
    const session = { state: 'valid', isExternallyAuthenticated: false } as const;
    const app = await drawSignIn({ ...organisation, selectSite: true, userName: 'ada', session });
    await app.report({ type: 'SITES_LOADED', siteList }, { type: 'SELECT_SITE', site: 'beta' });
    await app.report({ ...secondFactor, by: 'selectSite', answer: { status: 'password_required' } });
    expect([step(), header().textContent]).toEqual(['password-required', 'Confirm your password']);
  });
});

describe('the footer', () => {
  test.each([
    ['en', 'https://help.example/privacy'],
    ['pt', 'https://help.example/privacy/pt-br'],
    ['zh', 'https://help.example/privacy/zh-hans'],
    ['he', 'https://help.example/privacy/he'],
  ] as const)('links to the privacy policy of %s, in a new tab [2.25]', async (locale, address) => {
    await drawSignIn({}, { locale });
    expect([
      action('privacy-policy').getAttribute('href'),
      action('privacy-policy').getAttribute('target'),
    ]).toEqual([address, '_blank']);
  });

  test.each([
    ['does not configure', undefined],
    ['configures with an unsafe address', 'javascript:alert(1)'],
    ['configures with another host in a path', '//evil.example/'],
  ])('omits what the installation %s [2.24, 3.12, 7.12]', async (_, address) => {
    await drawApp({ entry: { kind: 'login' }, returnUrl }, [
      { type: 'CONFIG_LOADED', config: { globalSupportUrl: address, privacyPolicyBaseUrl: address } },
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
  test('back to boards links to the cancel address [2.8]', async () => {
    await drawElevate();
    expect(action('back-to-boards').getAttribute('href')).toBe('https://app.example/cancel');
  });

  test('back to boards falls back to the address of the application [2.8]', async () => {
    await drawElevate({ cancelRedirectUri: undefined, originalClientUri: 'https://app.example/' });
    expect(action('back-to-boards').getAttribute('href')).toBe('https://app.example/');
  });

  test('back to boards is not shown without an address [2.8]', async () => {
    await drawElevate({ cancelRedirectUri: undefined });
    expect(findAction('back-to-boards')).toBeNull();
  });

  test('back to site leads to site entry and keeps the return address [2.7]', async () => {
    const app = await drawSignIn();
    expect(action('back-to-site').getAttribute('href')).toContain(
      `ReturnUrl=${encodeURIComponent('/connect/')}`,
    );
    click(action('back-to-site'));
    await app.report();
    expect([step(), focusedName()]).toEqual(['site-entry', 'site']);
  });

  test('the back link of password-required is shown if the wizard has a previous step [2.9, 4.11]', async () => {
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

  test('are shown in a live region, in the current language [2.70]', async () => {
    const app = await drawSignIn({}, { locale: 'de' });
    await app.report(notice('error.unauthorized'));
    expect(notes()[0]).toContain('angemeldet');
    expect(requireElement('[data-notification=info]').closest('[aria-live]')).not.toBeNull();
  });

  test('a message about the whole step stays above its form after its notification, and is announced once', async () => {
    const app = await drawSignIn();
    await app.report({ type: 'CALL_FAILED', failure: { kind: 'unreachable' } });
    click(action('dismiss'));
    // The card keeps its margin, so that no control moves. The banner replaces it.
    expect([notes(), document.querySelector('main [data-banner=error]')]).toEqual([[], null]);
    await app.report({ type: 'TIMER_FIRED', timer: 'card-margin' });
    const banner = requireElement('main [data-banner=error]');
    expect(banner.textContent).toBe('We cannot reach the service. Check your connection and try again.');
    expect(banner.closest('[aria-live], [role=alert], [role=status]')).toBeNull();
    expect(banner.compareDocumentPosition(requireElement('main form'))).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
  });

  test.each(['no.such.key', 'constructor', 'login'])('the unknown key %s is not shown [3.6]', async (key) => {
    const app = await drawSignIn();
    await app.report(notice(key));
    expect(notes()).toEqual([]);
  });

  test('can be dismissed without losing the focus', async () => {
    const app = await drawSignIn();
    await app.report(notice('error.unauthorized'));
    action('dismiss').focus();
    click(action('dismiss'));
    expect(notes()).toEqual([]);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(focusedName()).toBe('userName');
  });
});
