// @vitest-environment happy-dom
import type { AuthContext } from '@anteroom/contract';
import { expect, test, vi } from 'vitest';
import { leaveWithEmail, takeUserName } from '../../carried-user-name.ts';
import { requireElement } from '../../ui/testing/draw.tsx';
import { contextOf, drawApp, returnUrl } from '../testing/draw-app.tsx';
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

const drawSiteEntry = (changes: Partial<AuthContext> = {}): Promise<DrawnApp> =>
  drawApp({ entry: { kind: 'login' }, returnUrl }, [
    {
      type: 'CONTEXT_LOADED',
      context: contextOf({ identityServiceUrl: undefined, defaultSite: undefined, ...changes }),
    },
  ]);

test('requests the site in one field, under the title “Enter a Site” [2.2, 2.6, 2.32]', async () => {
  await drawSiteEntry();
  expect([step(), focusedName(), document.querySelectorAll('main input')]).toMatchObject([
    'site-entry',
    'site',
    { length: 1 },
  ]);
  expect(document.title).toMatch(/^Enter a Site/);
  expect(requireElement('main button[type=submit]').textContent).toBe('Continue');
  expect(findAction('forgot-site')).toBeNull();
});

test('links to the recovery of a site with the language and the requesting client [2.32, 7.11]', async () => {
  await drawSiteEntry({ siteRecoveryClientUri: 'https://app.example/forgot-site' });
  const { origin, pathname, searchParams } = new URL(action('forgot-site').getAttribute('href') ?? '');
  expect(origin + pathname).toBe('https://app.example/forgot-site');
  expect(Object.fromEntries(searchParams)).toEqual({
    culture: 'en',
    refererClientId: 'director',
    refererScopes: 'openid profile',
    refererRedirectUri: 'https://app.example/callback?x=1',
  });
});

test('a site is required and has at most 50 characters without the spaces around it and invisible characters [5.1]', async () => {
  const app = await drawSiteEntry();
  for (const [typed, words] of [
    ['', 'Enter your site name or e‑mail.'],
    ['   ', 'Enter your site name or e‑mail.'],
    ['\u200B\u2069 ', 'Enter your site name or e‑mail.'],
    ['s'.repeat(51), 'Enter at most 50 characters.'],
  ] as const) {
    type('site', typed);
    submit();
    expect(fieldError('site')).toEqual({ isInvalid: true, words });
  }
  type('site', ` \u202A ${'s'.repeat(25)}\u00AD${'s'.repeat(25)}\u202C `);
  submit();
  submit();
  expect(app.calls('getSiteExistence')).toEqual([{ params: { name: 's'.repeat(50) } }]);
  expect(requireElement('main').dataset['loading']).toBe('true');
});

test.each([
  ['site', 'Enter your site name'],
  ['language', ''],
])(
  'a message is announced where the focus was in its field already: it was at %s [WCAG 4.1.3]',
  async (at, words) => {
    await drawSiteEntry();
    if (at !== 'site') action(at).focus();
    submit();
    expect(focusedName()).toBe('site');
    expect(alerts()).toMatch(new RegExp(`^${words}`));
    expect(alerts() === '').toBe(words === '');
  },
);

test('an unknown site has a message at the field, and any other failure has none [4.19, 8.11]', async () => {
  const app = await drawSiteEntry();
  type('site', 'nowhere');
  submit();
  await app.report({ type: 'SITE_CHECKED', site: 'nowhere', answer: { siteExists: false } });
  expect(fieldError('site')).toMatchObject({ isInvalid: true });
  expect(alerts()).toContain('Unknown site name.');
  expect(field('site').value).toBe('nowhere');
  submit();
  const failure = { kind: 'handled', status: 500, code: 'internal_error' } as const;
  await app.report({ type: 'SITE_CHECK_FAILED', failure });
  expect([fieldError('site').isInvalid, alerts(), step()]).toEqual([false, '', 'site-entry']);
});

test('an e-mail address looks for the site of its domain, and is the user name there', async () => {
  const app = await drawSiteEntry({ siteRecoveryClientUri: `${location.origin}/forgot-site` });
  type('site', ` ${'a'.repeat(50)}@acme.example `);
  submit();
  expect(app.calls('getSiteExistence')).toEqual([{ params: { name: 'acme.example' } }]);
  const answer = { siteExists: true, name: 'acme', identityServiceUrl: location.origin };
  await app.report(
    { type: 'SITE_CHECKED', site: 'acme.example', answer },
    { type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry: false } },
  );
  expect([step(), field('userName').value]).toEqual(['credentials', `${'a'.repeat(50)}@acme.example`]);
});

test.each([
  ['Eva Holm <eva@corp.example>', 'eva@corp.example'],
  ['mailto:eva@corp.example', 'eva@corp.example'],
  ['https://corp.example/?login_hint=eva@corp.example', ''],
])('the user name at the site of %j is %j', async (typed, userName) => {
  const app = await drawSiteEntry();
  type('site', typed);
  submit();
  await app.report(
    {
      type: 'SITE_CHECKED',
      site: 'corp.example',
      answer: { siteExists: true, name: 'corp', identityServiceUrl: location.origin },
    },
    { type: 'SITE_SETTINGS_LOADED', answer: { allowPasswordEntry: false } },
  );
  expect([step(), field('userName').value]).toEqual(['credentials', userName]);
});

test.each([
  ['leads to the page that sends the site names, outside any address', '/forgot-site', true],
  ['is an unknown site if there is no such page', undefined, false],
])('an e-mail address of another domain %s', async (_, page, isLeft) => {
  const left = vi.spyOn(location, 'assign').mockImplementation(() => {});
  const siteRecoveryClientUri = page && location.origin + page;
  const app = await drawSiteEntry({ siteRecoveryClientUri });
  type('site', 'ada@acme.example');
  submit();
  await app.report({
    type: 'SITE_CHECKED',
    site: 'acme.example',
    answer: { siteExists: false },
    email: 'ada@acme.example',
  });
  expect(app.effects('leave-with-email')).toEqual([{ type: 'leave-with-email', email: 'ada@acme.example' }]);
  expect(leaveWithEmail('ada@acme.example', app.state(), 'en')).toBe(isLeft);
  expect(takeUserName()).toBe(isLeft ? 'ada@acme.example' : undefined);
  expect(left.mock.calls.map(([address]) => new URL(String(address)).search.includes('ada'))).toEqual(
    isLeft ? [false] : [],
  );
  left.mockRestore();
});
