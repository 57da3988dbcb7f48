import { arriveAt } from '../fixtures/arrive.ts';
import { dana, expect, test } from './visit.ts';

test('reload: each step comes again from the context, with ReturnUrl kept and secrets empty', async ({
  page,
  visit,
  scripted,
}) => {
  await visit.open();
  await visit.field('password').fill('secret');
  await page.reload();
  await visit.step('credentials');
  await expect(visit.field('password')).toHaveValue('');
  expect(scripted.heard('getAuthContext').at(-1)?.input.query.returnUrl).toBe(visit.returnUrl());
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await visit.signIn();
  await visit.step('second-factor-required');
  await page.reload();
  await visit.step('credentials');
  expect(scripted.heard('getAuthContext').at(-1)?.input.query.returnUrl).toBe(visit.returnUrl());
});

test('history: steps add no entries to the browser’s history', async ({ page, visit, scripted }) => {
  visit.context({ identityServiceUrl: null });
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await visit.open();
  await visit.step('site-entry');
  const before = await page.evaluate(() => history.length);
  await visit.field('site').fill('harbor');
  await visit.submit();
  await visit.step('credentials');
  await visit.signIn();
  await visit.step('second-factor-required');
  expect(await page.evaluate(() => history.length)).toBe(before);
});

test('back: whoever comes back from the application finds a usable page, with the password gone', async ({
  page,
  visit,
  scripted,
}) => {
  await visit.open();
  await visit.signIn();
  await page.waitForURL(`${scripted.places.application}/arrived`);
  await page.goBack();
  await visit.step('credentials');
  expect(await visit.isLoading()).toBe(false);
  await expect(visit.field('password')).toHaveValue('');
  await visit.signIn();
  await page.waitForURL(`${scripted.places.application}/arrived`);
});

test('back: a page that the browser kept whole is not left loading, and its secrets are empty', async ({
  page,
  visit,
  scripted,
}) => {
  scripted.script.answer('getPostLoginRedirect', { location: `${scripted.places.application}/no-content` });
  await visit.open();
  await visit.signIn();
  await visit.called('getPostLoginRedirect');
  await page.evaluate(() => {
    globalThis.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    globalThis.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await visit.step('credentials');
  await expect.poll(async () => visit.isLoading()).toBe(false);
  await expect(visit.field('password')).toHaveValue('');
  expect(await visit.usable('password')).toBe(1);
});

test('forward: going on again shows the application, not a broken step', async ({
  page,
  visit,
  scripted,
}) => {
  await visit.open();
  await visit.signIn();
  await page.waitForURL(`${scripted.places.application}/arrived`);
  await page.goBack();
  await visit.step('credentials');
  await page.goForward();
  await page.waitForURL(`${scripted.places.application}/arrived`);
});

test('deep links: a step’s own address with a context comes to what the context asks for, with ReturnUrl', async ({
  visit,
  scripted,
}) => {
  for (const path of [
    '/login-wizard/site-entry',
    '/login-wizard/credentials',
    '/login-wizard/elevate',
    '/login-wizard/second-factor-required',
    '/login-wizard/password-reset-required',
    '/login-wizard/password-reset-voluntary',
    '/login-wizard/select-site',
    '/',
  ]) {
    await test.step(path, async () => {
      scripted.reset();
      await visit.open(path);
      const { input } = await visit.called('getAuthContext');
      expect(input.query.returnUrl).toBe(visit.returnUrl());
      await expect
        .poll(async () => visit.stepNow())
        .toMatch(
          /^(credentials|site-entry|select-site|second-factor-required|password-reset-required|elevate|password-reset-voluntary|password-required)$/,
        );
    });
  }
});

test('deep links: a step of the wizard without an auth context goes to the error page', async ({
  visit,
  scripted,
}) => {
  scripted.script.fail('getAuthContext', 'not_found');
  for (const step of [
    'site-entry',
    'password-reset-required',
    'password-reset-voluntary',
    'select-site',
    'elevate',
  ]) {
    await visit.open(`/login-wizard/${step}`);
    await visit.step('error');
  }
});

test('deep links: the logged-out page with a context says so, and without ends on the error page', async ({
  visit,
  scripted,
}) => {
  visit.signedIn();
  await visit.open('/account/logged-out');
  await visit.step('logged-out');
  scripted.script.fail('getAuthContext', 'not_found');
  scripted.script.fail('getLogoutContext', 'not_found');
  await visit.open('/account/logged-out');
  await visit.step('error');
});

test('reload: the logged-out page still knows where to go', async ({ page, visit, scripted }) => {
  await page.clock.install();
  await visit.open('/account/logout', { query: { logoutId: 'lo-1' } });
  await visit.step('logout');
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await visit.action('sign-out').click();
  await visit.step('logged-out');
  await page.reload();
  await expect
    .poll(async () => {
      await page.clock.runFor(500);
      return page.url();
    })
    .toBe(`${scripted.places.application}/signed-out`);
});

test('double submit: site, name, code and choice of site are each sent once', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  visit.context({ identityServiceUrl: null });
  await visit.open();
  await visit.field('site').fill('harbor');
  await page.locator('main button[type="submit"]').dblclick();
  await visit.step('credentials');
  expect(scripted.heard('getSiteExistence')).toHaveLength(1);

  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await visit.field('userName').fill(dana);
  await visit.field('password').fill('x');
  const letSignInGo = scripted.script.hold('authenticate');
  await visit.field('password').press('Enter');
  await visit.field('password').press('Enter');
  letSignInGo();
  await visit.step('second-factor-required');
  expect(scripted.heard('authenticate')).toHaveLength(1);

  const letGo = scripted.script.hold('verifyMfaCode');
  await visit.field('code-1').click();
  await page.keyboard.type('123456', { delay: 5 });
  await page.locator('main button[type="submit"]').dblclick();
  await page.keyboard.press('Enter');
  letGo();
  await arriveAt(page, `${scripted.places.application}/arrived`);
  expect(scripted.heard('verifyMfaCode')).toHaveLength(1);

  visit.choosing();
  await visit.open();
  await visit.step('select-site');
  const letChoiceGo = scripted.script.hold('selectSite');
  await page.locator('[data-site="harbor"] button').first().dblclick();
  await page.locator('[data-site="summit"] button').first().click({ force: true });
  letChoiceGo();
  await arriveAt(page, `${scripted.places.application}/arrived`);
  expect(scripted.heard('selectSite')).toHaveLength(1);
});

test('two tabs: each keeps its own ReturnUrl', async ({ context, visit, scripted }) => {
  await visit.open();
  await visit.step('credentials');
  const other = await context.newPage();
  await other.goto(
    `${scripted.places.service}/ui/account/login?${new URLSearchParams({ ReturnUrl: '/connect/authorize/other?client_id=x', skip_splash: '1' }).toString()}`,
  );
  await expect(other.locator('main[data-step]')).toHaveAttribute('data-step', 'credentials');
  await visit.signIn();
  const { input } = await visit.called('authenticate');
  expect(input.body.returnUrl).toBe(visit.returnUrl());
});
