import { arriveAt } from '../fixtures/arrive.ts';
import { dana, expect, password, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

// The rules that need no browser are in `web/src/screens/credentials/credentials.test.tsx`.

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
  // the password field exists for password managers, hidden from the visitor
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
  // the CSP reports the event handler while the sanitiser removes it
  noise.splice(0);
});
