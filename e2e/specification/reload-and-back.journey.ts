import { arriveAt } from '../fixtures/arrive.ts';
import { dana, expect, test } from './visit.ts';

test('reload: each step is restored from the context, with ReturnUrl and without secrets [F15]', async ({
  page,
  visit,
  scripted,
}) => {
  await visit.open();
  await visit.field('password').fill('secret');
  await page.reload();
  await visit.step('credentials');
  await expect(visit.field('password')).toHaveValue('');
  expect(scripted.received('getAuthContext').at(-1)?.input.query.returnUrl).toBe(visit.returnUrl());
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await visit.signIn();
  await visit.step('second-factor-required');
  await page.reload();
  await visit.step('credentials');
  expect(scripted.received('getAuthContext').at(-1)?.input.query.returnUrl).toBe(visit.returnUrl());
});

test('history: steps add no entries to the browser’s history [2.20]', async ({ page, visit, scripted }) => {
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

test('back: a visitor who returns from the application finds a usable page with an empty password [F15]', async ({
  page,
  visit,
  scripted,
}) => {
  await visit.open();
  await visit.signIn();
  await page.waitForURL(`${scripted.urls.application}/arrived`);
  await page.goBack();
  await visit.step('credentials');
  expect(await visit.isLoading()).toBe(false);
  await expect(visit.field('password')).toHaveValue('');
  await visit.signIn();
  await page.waitForURL(`${scripted.urls.application}/arrived`);
});

test('back: a page from the back/forward cache is usable and has empty secrets [F15]', async ({
  page,
  visit,
  scripted,
}) => {
  scripted.script.answer('getPostLoginRedirect', { location: `${scripted.urls.application}/no-content` });
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

test('forward: the browser shows the application again [F15]', async ({ page, visit, scripted }) => {
  await visit.open();
  await visit.signIn();
  await page.waitForURL(`${scripted.urls.application}/arrived`);
  await page.goBack();
  await visit.step('credentials');
  await page.goForward();
  await page.waitForURL(`${scripted.urls.application}/arrived`);
});

test('deep links: the empty path redirects to account/login with ReturnUrl, and the context decides the step [2.1]', async ({
  page,
  visit,
  scripted,
}) => {
  for (const [set, step] of [
    [() => visit.context({}), 'credentials'],
    [() => visit.context({ identityServiceUrl: null }), 'site-entry'],
    [() => visit.choosing(), 'select-site'],
  ] as const) {
    scripted.reset();
    set();
    await visit.open('/');
    await visit.step(step);
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, searchParams.get('ReturnUrl')]).toEqual(['/ui/account/login', visit.returnUrl()]);
    const { input } = await visit.called('getAuthContext');
    expect(input.query.returnUrl).toBe(visit.returnUrl());
  }
});

test('reload: the logged-out page keeps the logout id, the skipped delay and the redirect [4.29]', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  // this address answers 204, so the browser stays on the page
  const address = `${scripted.urls.application}/no-content`;
  const left = (): number => visit.journeys.filter((url) => url === address).length;
  const queries: Record<string, string>[] = [
    { LogoutId: 'lo 7/7' },
    { logoutId: 'lo 7/7', Skip_Logout_Delay: '' },
  ];
  for (const query of queries) {
    scripted.reset();
    scripted.script.answer('getLogoutContext', ({ query }) => ({
      requiresConfirmation: scripted.received('signOut').length === 0,
      showCancelButton: false,
      postLogoutRedirectUri: query.logoutId === 'lo 7/7' ? address : undefined,
    }));
    await visit.open('/account/logout', { query });
    await visit.step('logout');
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    await visit.action('sign-out').click();
    await visit.step('logged-out');
    await page.reload();
    await visit.step('logged-out');
    expect(new URL(page.url()).pathname).toBe('/ui/account/logged-out');
    expect(scripted.received('getLogoutContext').at(-1)?.input.query).toEqual({ logoutId: 'lo 7/7' });
    const before = left();
    await page.clock.runFor('Skip_Logout_Delay' in query ? 10 : 2_000);
    await expect.poll(left).toBe(before + 1);
    await page.clock.resume();
  }
});

test('double submit: site, credentials, code and choice of site are each sent once [4.20, F14]', async ({
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
  expect(scripted.received('getSiteExistence')).toHaveLength(1);

  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await visit.field('userName').fill(dana);
  await visit.field('password').fill('x');
  const releaseSignIn = scripted.script.hold('authenticate');
  await visit.field('password').press('Enter');
  await visit.field('password').press('Enter');
  releaseSignIn();
  await visit.step('second-factor-required');
  expect(scripted.received('authenticate')).toHaveLength(1);

  const release = scripted.script.hold('verifyMfaCode');
  await visit.field('code-1').click();
  await page.keyboard.type('123456', { delay: 5 });
  await page.locator('main button[type="submit"]').dblclick();
  await page.keyboard.press('Enter');
  release();
  await arriveAt(page, `${scripted.urls.application}/arrived`);
  expect(scripted.received('verifyMfaCode')).toHaveLength(1);

  visit.choosing();
  await visit.open();
  await visit.step('select-site');
  const releaseChoice = scripted.script.hold('selectSite');
  await page.locator('[data-site="harbor"] button').first().dblclick();
  await page.locator('[data-site="summit"] button').first().click({ force: true });
  releaseChoice();
  await arriveAt(page, `${scripted.urls.application}/arrived`);
  expect(scripted.received('selectSite')).toHaveLength(1);
});

test('two tabs: each keeps its own ReturnUrl [F16]', async ({ context, visit, scripted }) => {
  await visit.open();
  await visit.step('credentials');
  const other = await context.newPage();
  await other.goto(
    `${scripted.urls.service}/ui/account/login?${new URLSearchParams({ ReturnUrl: '/connect/authorize/other?client_id=x', skip_splash: '1' }).toString()}`,
  );
  await expect(other.locator('main[data-step]')).toHaveAttribute('data-step', 'credentials');
  await visit.signIn();
  const { input } = await visit.called('authenticate');
  expect(input.body.returnUrl).toBe(visit.returnUrl());
});
