import { arriveAt } from '../fixtures/arrive.ts';
import { dana, expect, password, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

test('credentials: a user name and a password, one submit button, and the title “Sign in”', async ({
  page,
  visit,
}) => {
  await visit.open();
  await visit.step('credentials');
  await expect(visit.field('userName')).toHaveAttribute('autocomplete', /\busername\b/);
  await expect(visit.field('password')).toHaveAttribute('autocomplete', /\bcurrent-password\b/);
  await expect(visit.field('userName')).toBeFocused();
  await expect(page.locator('main button[type="submit"]')).toHaveCount(1);
  await expect(page).toHaveTitle(/Sign in/);
  await expect(page.locator('main button:not([type="submit"]):not([type="button"])')).toHaveCount(0);
});

test('credentials: the heading names the site if it is known', async ({ page, visit, scripted }) => {
  await visit.open();
  await visit.step('credentials');
  await expect(page.getByRole('heading', { name: 'Sign in to northwind' })).toBeVisible();
  scripted.script.answer('getAuthContext', {
    identityServiceUrl: scripted.urls.service,
    selectSite: false,
    allowDefaultSiteEntry: true,
    allowUserNameEntry: true,
    allowPasswordEntry: true,
    reauthRequested: false,
    session: { state: 'none', isExternallyAuthenticated: false },
  });
  await visit.open();
  await expect(page.getByRole('heading', { name: /Sign in to/ })).toHaveCount(0);
});

test('credentials (a): if only the user name is requested, the form has one field, “Continue” and a hidden password field', async ({
  page,
  visit,
  scripted,
}) => {
  visit.context({ allowPasswordEntry: false });
  scripted.script.answer('getSiteSettings', { allowPasswordEntry: false });
  await visit.open();
  await visit.step('credentials');
  await expect(visit.field('userName')).toBeFocused();
  await expect(page.getByRole('button', { name: wordsPattern('common.continue') })).toBeVisible();
  // password managers fill both fields, so the password field exists, hidden from the visitor
  const hidden = page.locator('main input[name="password"]');
  await expect(hidden).toHaveCount(1);
  await expect(hidden).toHaveAttribute('autocomplete', /\bcurrent-password\b/);
  expect(await visit.usable('password')).toBe(0);
  await page.keyboard.press('Tab');
  await expect(hidden).not.toBeFocused();
});

test('credentials (a): for a name without an external provider the form then requests the password and keeps the name', async ({
  page,
  visit,
  scripted,
}) => {
  visit.context({ allowPasswordEntry: false });
  scripted.script.answer('getSiteSettings', { allowPasswordEntry: false });
  await visit.open();
  await visit.field('userName').fill(dana);
  await visit.submit();
  const { input } = await visit.called('getUserSettings');
  expect(input.query).toEqual({ usernameOrEmail: dana, site: 'northwind', returnUrl: visit.returnUrl() });
  await expect(page.locator('main input[name="password"]:visible').last()).toBeFocused();
  await visit.signIn();
  const authenticated = await visit.called('authenticate');
  expect(authenticated.input.body).toMatchObject({ userName: dana, password });
});

test('credentials (a): an empty name shows a message and is not looked up', async ({ visit, scripted }) => {
  visit.context({ allowPasswordEntry: false });
  scripted.script.answer('getSiteSettings', { allowPasswordEntry: false });
  await visit.open();
  await visit.step('credentials');
  await visit.submit();
  await expect(visit.field('userName')).toHaveAttribute('aria-invalid', 'true');
  await expect(visit.field('userName')).toHaveAccessibleDescription(
    wordsPattern('login.errors.userNameRequired'),
  );
  await visit.field('userName').fill(dana);
  await visit.submit();
  await visit.called('getUserSettings');
  expect(scripted.received('getUserSettings')).toHaveLength(1);
});

test('credentials (b): a known user name is read-only, and the form requests only the password', async ({
  visit,
}) => {
  visit.context({ userName: dana });
  await visit.open();
  await visit.step('credentials');
  expect(await visit.usable('userName')).toBe(0);
  expect(await visit.shown()).toContain(dana);
  await expect(visit.field('password').last()).toBeFocused();
  await visit.signIn();
  const { input } = await visit.called('authenticate');
  expect(input.body).toMatchObject({ userName: dana, password, site: 'northwind' });
});

test('credentials (d): the heading names a requested re-authentication', async ({ page, visit }) => {
  visit.signedIn({ reauthRequested: true });
  await visit.open();
  await visit.step('credentials');
  await expect(
    page.getByRole('heading', { name: wordsPattern('login.headingReauthenticate') }),
  ).toBeVisible();
});

test('credentials: loginHint fills an editable user name if no user is known', async ({ visit }) => {
  visit.context({ loginHint: 'hinted@northwind.example' });
  await visit.open();
  await expect(visit.field('userName')).toHaveValue('hinted@northwind.example');
  visit.context({ loginHint: 'hinted@northwind.example', userName: dana });
  await visit.open();
  await visit.step('credentials');
  expect(await visit.shown()).toContain(dana);
  expect(await visit.shown()).not.toContain('hinted@northwind.example');
  visit.context({ loginHint: 'hinted@northwind.example', allowUserNameEntry: false });
  await visit.open();
  await visit.step('credentials');
  expect(await visit.usable('userName')).toBe(0);
});

test('credentials: the password can be shown and hidden, and the button reports its state', async ({
  visit,
}) => {
  await visit.open();
  await visit.field('password').fill(password);
  await expect(visit.field('password')).toHaveAttribute('type', 'password');
  const names = [await visit.action('show-password').evaluate(nameAndState)];
  await visit.action('show-password').click();
  await expect(visit.field('password')).toHaveAttribute('type', 'text');
  await expect(visit.field('password')).toHaveValue(password);
  names.push(await visit.action('show-password').evaluate(nameAndState));
  expect(names[0]).not.toBe(names[1]);
  await visit.action('show-password').click();
  await expect(visit.field('password')).toHaveAttribute('type', 'password');
});

function nameAndState(toggle: Element): string {
  return `${toggle.getAttribute('aria-label') ?? toggle.textContent} ${toggle.getAttribute('aria-pressed') ?? ''}`;
}

test('credentials: during the sign-in an assertive live region reports it, and a second submission has no effect', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  const release = scripted.script.hold('authenticate');
  await visit.open();
  await visit.step('credentials');
  const region = page.locator('[aria-live="assertive"]');
  await expect(region.filter({ hasText: wordsPattern('login.signingIn') })).toHaveCount(0);
  await visit.signIn();
  await expect(region.filter({ hasText: wordsPattern('login.signingIn') })).toHaveCount(1);
  expect(await visit.isLoading()).toBe(true);
  await visit.field('password').press('Enter');
  await page.locator('main button[type="submit"]').click({ force: true });
  release();
  await arriveAt(page, `${scripted.urls.application}/arrived`);
  expect(scripted.received('authenticate')).toHaveLength(1);
});

test('credentials: after an error the password is empty and focused, the name stays, and the message is an alert', async ({
  visit,
  scripted,
}) => {
  scripted.script.fail('authenticate', 'invalid_credentials');
  await visit.open();
  await visit.signIn();
  await expect(visit.alert).toHaveText(wordsPattern('login.errors.invalidCredentials'));
  await expect(visit.field('password')).toHaveValue('');
  await expect(visit.field('password')).toBeFocused();
  await expect(visit.field('userName')).toHaveValue(dana);
  expect(await visit.isLoading()).toBe(false);
  // the next submission removes the message
  const release = scripted.script.hold('authenticate');
  await visit.signIn('another');
  await expect(visit.alert).toHaveCount(0);
  release();
  await expect(visit.alert).toHaveText(wordsPattern('login.errors.invalidCredentials'));
});

test('credentials: an empty field prevents the submission, and each field shows its own message', async ({
  visit,
  scripted,
}) => {
  await visit.open();
  await visit.step('credentials');
  await visit.submit();
  for (const [name, key] of [
    ['userName', 'login.errors.userNameRequired'],
    ['password', 'login.errors.passwordRequired'],
  ] as const) {
    await expect(visit.field(name)).toHaveAttribute('aria-invalid', 'true');
    await expect(visit.field(name)).toHaveAccessibleDescription(wordsPattern(key));
  }
  await expect(visit.field('userName')).toBeFocused();
  await visit.field('userName').fill(dana);
  await visit.submit();
  await expect(visit.field('password')).toBeFocused();
  await expect(visit.field('userName')).not.toHaveAttribute('aria-invalid', 'true');
  await visit.signIn();
  await visit.called('authenticate');
  expect(scripted.received('authenticate')).toHaveLength(1);
});

test('credentials: a user name has at most 100 characters and is not blank, and a password is sent as typed', async ({
  visit,
  scripted,
}) => {
  scripted.script.fail('authenticate', 'invalid_credentials');
  await visit.open();
  await visit.step('credentials');
  await visit.field('userName').click();
  await visit.field('userName').pressSequentially('   ');
  await visit.field('password').fill(password);
  await visit.submit();
  await expect(visit.field('userName')).toHaveAttribute('aria-invalid', 'true');
  await visit.field('userName').fill('a'.repeat(101));
  await visit.submit();
  const { length } = await visit.field('userName').inputValue();
  if (length > 100) {
    await expect(visit.field('userName')).toHaveAttribute('aria-invalid', 'true');
    await expect(visit.field('userName')).toHaveAccessibleDescription(
      wordsPattern('login.errors.userNameTooLong', { count: 100 }),
    );
  }
  expect(scripted.received('authenticate')).toHaveLength(0);
  await visit.field('userName').fill('a'.repeat(100));
  await visit.field('password').fill('  spaces count  ');
  await visit.submit();
  const { input } = await visit.called('authenticate');
  expect(input.body).toMatchObject({ userName: 'a'.repeat(100), password: '  spaces count  ' });
});

test('credentials: “forgot credentials” shows only with an address and if recovery is not disabled', async ({
  visit,
}) => {
  for (const [context, count] of [
    [{}, 1],
    [{ loginFlowCustomizations: { signInCredentialsRecoveryDisabled: true } }, 0],
    [{ forgotPasswordUrl: null }, 0],
  ] as const) {
    visit.context(context);
    await visit.open();
    await visit.step('credentials');
    await expect(visit.action('forgot-credentials'), JSON.stringify(context)).toHaveCount(count);
  }
});

test('credentials: the address of “forgot credentials” contains culture and the referer from the return URL', async ({
  visit,
  scripted,
}) => {
  visit.context({ forgotPasswordUrl: `${scripted.urls.application}/forgot-password?tenant=7` });
  await visit.open('/account/login', { returnUrl: { requested_language: 'de' } });
  await visit.step('credentials');
  const address = new URL((await visit.action('forgot-credentials').getAttribute('href')) ?? '');
  expect(address.origin + address.pathname).toBe(`${scripted.urls.application}/forgot-password`);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    tenant: '7',
    culture: expect.stringMatching(/^de/) as unknown,
    refererClientId: 'director',
    refererScopes: 'openid profile',
    refererRedirectUri: 'https://boards.example/back?x=1&y=2',
  });
});

test('credentials: the entered site replaces the address of “forgot credentials”', async ({
  visit,
  scripted,
}) => {
  visit.context({ identityServiceUrl: null, defaultSite: null, forgotPasswordUrl: null });
  scripted.script.answer('getSiteExistence', {
    siteExists: true,
    identityServiceUrl: scripted.urls.service,
    forgotPasswordUrl: `${scripted.urls.application}/forgot-at-harbor`,
  });
  await visit.open();
  await visit.field('site').fill('harbor');
  await visit.submit();
  await visit.step('credentials');
  await expect(visit.action('forgot-credentials')).toHaveAttribute('href', /\/forgot-at-harbor\?/);
});

test('credentials: “back to site” shows only if default-site entry is allowed, and opens site entry', async ({
  page,
  visit,
}) => {
  visit.context({ allowDefaultSiteEntry: false });
  await visit.open();
  await visit.step('credentials');
  await expect(visit.action('back-to-site')).toHaveCount(0);
  visit.context({ allowDefaultSiteEntry: true });
  await visit.open();
  await visit.step('credentials');
  await expect(visit.action('back-to-site')).toHaveAttribute('href', /\/ui\/account\/login/);
  await visit.action('back-to-site').click();
  await visit.step('site-entry');
  expect(new URL(page.url()).searchParams.get('ReturnUrl')).toBe(visit.returnUrl());
});

test('credentials: the client-support footer links to global support', async ({ page, visit, scripted }) => {
  await visit.open();
  await visit.step('credentials');
  await expect(page.locator('main')).toContainText(/Trouble signing in\?/);
  await expect(page.locator('main [data-action="global-support"]').first()).toHaveAttribute(
    'href',
    `${scripted.urls.application}/support`,
  );
});

test('credentials: each error code has its own message and leaves the page unchanged', async ({
  visit,
  scripted,
}) => {
  await visit.open();
  await visit.step('credentials');
  for (const [code, key] of [
    ['invalid_credentials', 'login.errors.invalidCredentials'],
    ['mfa_invalid_phone_number', 'mfa.errors.invalidPhoneNumber'],
    ['site_requires_mfa', 'mfa.errors.notConfigured'],
    ['session_migration_failure', 'error.unexpectedErrorOccurred'],
    ['mfa_max_attempts_exceeded', 'mfa.errors.verificationLimitHit'],
  ] as const) {
    for (const status of [400, 401]) {
      scripted.script.fail('authenticate', code, { status });
      await visit.signIn();
      await expect(visit.alert.or(visit.notice('error')).first(), `${code} ${status}`).toHaveText(
        wordsPattern(key),
      );
      expect(await visit.stepNow()).toBe('credentials');
      await expect(visit.field('password')).toHaveValue('');
    }
  }
});

test('credentials: the description of a generic failure is shown as a sanitised notification, not in the form', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  await visit.open();
  await visit.step('credentials');
  for (const code of ['validation_failed', 'internal_error'] as const) {
    scripted.script.fail('authenticate', code);
    await visit.signIn();
    await expect(visit.field('password')).toBeFocused();
    await expect(visit.field('password')).toHaveValue('');
    await expect(visit.alert).toHaveCount(0);
    expect(await visit.stepNow()).toBe('credentials');
  }
  scripted.script.fail('authenticate', 'validation_failed', {
    description:
      'Your account is <b>locked</b>. <a href="https://help.example/?code=E42">Code E42</a><img src=x onerror="globalThis.hit=1"><a href="javascript:globalThis.hit=1">bad</a>',
  });
  await visit.signIn();
  const notice = visit.notice('error');
  await expect(notice).toContainText('Your account is locked. Code E42');
  await expect(notice.locator('b')).toHaveText('locked');
  await expect(notice.locator('a[href="https://help.example/?code=E42"]')).toHaveCount(1);
  await expect(notice.locator('img, [onerror], a[href^="javascript"]')).toHaveCount(0);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'hit') as unknown)).toBeUndefined();
  // the content policy reports the event handler while the sanitiser removes it
  noise.splice(0);
});

test('credentials: the payload contains site and user name only if they are editable or the session is valid', async ({
  visit,
  scripted,
}) => {
  const valid = { state: 'valid', authSite: 'northwind', isExternallyAuthenticated: false } as const;
  const none = { state: 'none', isExternallyAuthenticated: false } as const;
  scripted.script.fail('authenticate', 'invalid_credentials');
  for (const [session, allowDefaultSiteEntry, allowUserNameEntry, hasSite, hasUser] of [
    [none, true, true, true, true],
    [none, false, true, false, true],
    [none, true, false, true, false],
    [none, false, false, false, false],
    [valid, false, false, true, true],
  ] as const) {
    const row = `${session.state} ${allowDefaultSiteEntry} ${allowUserNameEntry}`;
    visit.context({ session, allowDefaultSiteEntry, allowUserNameEntry, userName: dana });
    await visit.open();
    await visit.step('credentials');
    const before = scripted.received('authenticate').length;
    await visit.signIn();
    const { input } = await visit.called('authenticate', before + 1);
    expect(input.body.returnUrl, row).toBe(visit.returnUrl());
    expect(input.body.site, row).toBe(hasSite ? 'northwind' : undefined);
    expect(input.body.userName, row).toBe(hasUser ? dana : undefined);
  }
});
