import { calls } from '@anteroom/contract';
import type { CallName } from '@anteroom/contract';
import type { Page } from '@playwright/test';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import { openSites } from './open-sites.ts';
import { expect, test } from './visit.ts';
import type { Visit } from './visit.ts';
import { flowCalls } from './flow-calls.ts';
import { wordsPattern } from '../fixtures/words.ts';

for (const { call, go } of flowCalls)
  test(`401: ${call}, without a known code opens the login page with ReturnUrl and the reason`, async ({
    page,
    visit,
    scripted,
  }) => {
    scripted.script.fail(call, 'unauthorized', { times: 1 });
    await go(visit, page, scripted);
    await visit.called(call);
    // a sign-out does not load the context of a sign-in
    await visit.called('getAuthContext', call === 'getLogoutContext' ? 1 : 2);
    await expect(visit.notice('info')).toContainText(wordsPattern('error.unauthorized'));
    await expect(page.locator('main[data-step]:not([data-step="error"])')).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/ui/account/login');
    expect(new URL(page.url()).searchParams.get('ReturnUrl')).toBe(visit.returnUrl());
    expect(scripted.received('getAuthContext').at(-1)?.input.query.returnUrl).toBe(visit.returnUrl());
  });

/** A call whose 401 does not open the login page (wire contract, "decided (2026-11-22)"), and the step that opens instead. */
interface Exception {
  call: CallName;
  when?: string;
  go: (visit: Visit, page: Page, scripted: ScriptedIdentity) => Promise<void>;
  step: string;
}

const exceptions: readonly Exception[] = [
  { call: 'getAuthContext', go: async (visit) => visit.open(), step: 'error' },
  { call: 'getConfig', go: async (visit) => visit.open(), step: 'credentials' },
  {
    call: 'getErrorMessage',
    go: async (visit) => visit.open('/home/error', { query: { errorId: 'e-1' } }),
    step: 'error',
  },
  {
    call: 'getLogoutContext',
    when: 'called by the site list',
    go: async (visit) => {
      visit.choosing();
      await visit.open();
      await visit.action('sign-out').click();
    },
    step: 'logged-out',
  },
  {
    call: 'getSiteTodo',
    go: async (visit, _page, scripted) => openSites(visit, scripted, { harbor: {} }),
    step: 'select-site',
  },
  {
    call: 'postMetrics',
    // a policy line without a text is reported
    go: async (visit, _page, { script }) => {
      script.answer('passwordPolicy', { policyLines: [{ line: 'unheardOf' }] });
      visit.signedIn({ promptMethod: 'change_password' });
      await visit.open();
    },
    step: 'password-reset-voluntary',
  },
  {
    call: 'getRetry',
    go: async (visit, page, { script, urls }) => {
      script.answer('selectSite', { status: 'redirect', location: `${urls.application}/no-content` });
      await page.clock.install();
      visit.choosing();
      await visit.open();
      await page.locator('[data-site="harbor"] button').first().click();
      await visit.called('selectSite');
      await page.clock.runFor(6_000);
    },
    step: 'select-site',
  },
];

for (const { call, when, go, step } of exceptions)
  test(`401: ${call}${when ? `, ${when},` : ''} does not open the login page`, async ({
    page,
    visit,
    scripted,
    noise,
  }) => {
    scripted.script.fail(call, 'unauthorized');
    await go(visit, page, scripted);
    await visit.called(call);
    await visit.step(step);
    await expect.poll(async () => visit.isLoading()).toBe(false);
    await expect(visit.notice('info')).toHaveCount(0);
    expect(scripted.received('getAuthContext').length).toBeLessThanOrEqual(1);
    // the browser logs the failed request
    noise.splice(0, noise.length, ...noise.filter((line) => !line.includes('/ui/config.json')));
  });

test('401: each call of the page has a rule here', () => {
  // navigations, or calls that this front end does not make
  const others: CallName[] = [
    'getExternalRedirect',
    'getSamlSso',
    'getSamlMetadata',
    'postSiteSettings',
    'postUserSettings',
  ];
  const ruled = new Set([...flowCalls, ...exceptions].map(({ call }) => call));
  expect([...ruled, ...others].toSorted()).toEqual(Object.keys(calls).toSorted());
});

test('401: a service that always answers 401 does not cause a redirect loop', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  scripted.script.fail('getSiteSettings', 'unauthorized');
  await visit.open();
  await visit.called('getSiteSettings');
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000);
      return visit.stepNow();
    })
    .not.toBeNull();
  await page.clock.runFor(60_000);
  const asked = scripted.received('getAuthContext').length;
  expect(asked).toBeLessThanOrEqual(3);
  await page.clock.runFor(60_000);
  expect(scripted.received('getAuthContext').length).toBe(asked);
});
