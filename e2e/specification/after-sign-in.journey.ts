import { contextAt } from '@anteroom/testkit/scripted/opening-scene';
import { dana, expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

// The page's clock stops when the visitor signs in; the tests advance it.

test('statuses: each status of authenticate opens its page', async ({ visit, scripted }) => {
  scripted.script.answer(
    'getRefreshContext',
    contextAt(scripted.urls, {
      userName: dana,
      selectSite: true,
      session: { state: 'valid', isExternallyAuthenticated: false },
    }),
  );
  for (const [status, step, refreshes] of [
    ['second_factor_required', 'second-factor-required', 0],
    ['password_reset_required', 'password-reset-required', 1],
    ['select_site_required', 'select-site', 1],
    ['password_required', 'password-required', 0],
    ['credentials_required', 'credentials', 0],
  ] as const) {
    scripted.script.answer('authenticate', { status });
    await visit.open();
    const before = scripted.received('getRefreshContext').length;
    await visit.signIn();
    await visit.called('authenticate');
    await visit.step(step);
    await expect.poll(async () => visit.isLoading(), status).toBe(false);
    expect(scripted.received('getRefreshContext').length - before, status).toBe(refreshes);
  }
});

test('statuses: “credentials_required” leaves an empty, usable form', async ({ visit, scripted }) => {
  scripted.script.answer('authenticate', { status: 'credentials_required' });
  await visit.open();
  await visit.signIn();
  await visit.called('authenticate');
  await expect(visit.field('password').last()).toHaveValue('');
  await visit.signIn();
  await visit.called('authenticate', 2);
});

test('statuses: case is ignored', async ({ visit, scripted }) => {
  scripted.script.garble('authenticate', JSON.stringify({ status: 'SECOND_FACTOR_REQUIRED', unknown: 1 }));
  await visit.open();
  await visit.signIn();
  await visit.step('second-factor-required');
});

test('statuses: “select_site_required” after a code reloads the context before it requests the sites', async ({
  visit,
  scripted,
}) => {
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  scripted.script.answer('verifyMfaCode', { status: 'select_site_required' });
  await visit.open();
  await visit.signIn();
  await visit.step('second-factor-required');
  const release = scripted.script.hold('getRefreshContext');
  await visit.field('code-1').click();
  await visit.field('code-1').pressSequentially('1');
  for (const box of [2, 3, 4, 5, 6]) await visit.field(`code-${box}`).pressSequentially('1');
  await visit.submit();
  await visit.called('getRefreshContext');
  expect(scripted.received('getSites')).toHaveLength(0);
  release();
  await visit.step('select-site');
});

test('post-login: without a valid session the page requests the redirect after 1.5 seconds and follows its location', async ({
  page,
  visit,
  scripted,
}) => {
  const { application } = scripted.urls;
  scripted.script.answer('getPostLoginRedirect', { location: `${application}/after-login` });
  await page.clock.install();
  await visit.open();
  await visit.step('credentials');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.signIn();
  await visit.called('authenticate');
  await expect.poll(async () => visit.isLoading()).toBe(true);
  await page.clock.runFor(1_400);
  expect(scripted.received('getPostLoginRedirect')).toHaveLength(0);
  await page.clock.runFor(100);
  await expect.poll(() => scripted.received('getPostLoginRedirect').length).toBe(1);
  expect(scripted.received('getPostLoginRedirect')[0]?.input.query).toEqual({ returnUrl: visit.returnUrl() });
  await page.waitForURL(`${application}/after-login`);
});

test('post-login: with a valid session the page follows the given location at once', async ({
  page,
  visit,
  scripted,
}) => {
  visit.choosing();
  await page.clock.install();
  await visit.open();
  await visit.step('select-site');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.locator('[data-site="harbor"] button').first().click();
  await page.waitForURL(`${scripted.urls.application}/arrived`);
  expect(scripted.received('getPostLoginRedirect')).toHaveLength(0);
});

test('post-login: after five seconds the page asks the service whether to retry, and then follows the location again', async ({
  page,
  visit,
  scripted,
}) => {
  const address = `${scripted.urls.application}/no-content`;
  const visits = (): number => visit.journeys.filter((url) => url === address).length;
  scripted.script.answer('getPostLoginRedirect', { location: address });
  scripted.script.answer('getRetry', { retry: true });
  await page.clock.install();
  await visit.open();
  await visit.step('credentials');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.signIn();
  await visit.called('authenticate');
  await expect.poll(async () => visit.isLoading()).toBe(true);
  await page.clock.runFor(1_500);
  await expect.poll(visits).toBe(1);
  await page.clock.runFor(4_400);
  expect(scripted.received('getRetry')).toHaveLength(0);
  await page.clock.runFor(600);
  await expect.poll(() => scripted.received('getRetry').length).toBe(1);
  await expect.poll(visits).toBe(2);
});

test('post-login: the page does not follow the location again if the service does not answer “retry”', async ({
  page,
  visit,
  scripted,
}) => {
  const address = `${scripted.urls.application}/no-content`;
  scripted.script.answer('selectSite', { status: 'redirect', location: address });
  visit.choosing();
  await page.clock.install();
  await visit.open();
  await visit.step('select-site');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.locator('[data-site="harbor"] button').first().click();
  await expect.poll(() => visit.journeys.filter((url) => url === address).length).toBe(1);
  await expect
    .poll(async () => {
      await page.clock.runFor(500);
      return scripted.received('getRetry').length;
    })
    .toBe(1);
  await page.clock.runFor(20_000);
  expect(visit.journeys.filter((url) => url === address)).toHaveLength(1);
});

test('post-login: a location can be a path of the service', async ({ page, visit, scripted }) => {
  scripted.script.answer('getPostLoginRedirect', { location: '/connect/authorize/sample?done=1' });
  await visit.open();
  await visit.signIn();
  await page.waitForURL(`${scripted.urls.service}/connect/authorize/sample?done=1`);
});

test('post-login: a “redirect” without a location makes the page request the location', async ({
  page,
  visit,
  scripted,
}) => {
  visit.choosing();
  scripted.script.garble('selectSite', JSON.stringify({ status: 'redirect' }));
  await visit.open();
  await visit.step('select-site');
  await page.locator('[data-site="harbor"] button').first().click();
  await visit.called('getPostLoginRedirect');
  await page.waitForURL(`${scripted.urls.application}/arrived`);
});

test('post-login: a failed redirect call ends on the error page, and an unreachable service is reported', async ({
  visit,
  scripted,
}) => {
  scripted.script.fail('getPostLoginRedirect', 'not_found');
  await visit.open();
  await visit.signIn();
  await visit.step('error');
  scripted.script.cut('getPostLoginRedirect');
  await visit.open();
  await visit.signIn();
  await visit.called('getPostLoginRedirect', 2);
  await expect(visit.notice('error')).toBeVisible();
});

test('site select: a failed change of the session’s site is reported, and the visitor can choose again', async ({
  page,
  visit,
  scripted,
}) => {
  visit.choosing();
  scripted.script.fail('selectSite', 'session_migration_failure');
  await visit.open();
  await visit.step('select-site');
  await page.locator('[data-site="harbor"] button').first().click();
  await expect(visit.notice('error').or(visit.alert)).toContainText(
    wordsPattern('error.unexpectedErrorOccurred'),
  );
  expect(await visit.isLoading()).toBe(false);
  for (const [status, step] of [
    ['second_factor_required', 'second-factor-required'],
    ['password_reset_required', 'password-reset-required'],
    ['credentials_required', 'credentials'],
  ] as const) {
    scripted.script.answer('selectSite', { status });
    await visit.open();
    await visit.step('select-site');
    await page.locator('[data-site="summit"] button').first().click();
    await visit.step(step);
    expect(scripted.received('selectSite').at(-1)?.input.body).toEqual({
      site: 'summit',
      returnUrl: visit.returnUrl(),
    });
  }
});
