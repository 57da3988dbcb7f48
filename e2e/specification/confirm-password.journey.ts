import { dana, expect, password, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

test('elevate: a known user with a valid session confirms the password under a separate heading', async ({
  page,
  visit,
}) => {
  visit.signedIn({ promptMethod: 'elevate' });
  await visit.open();
  await visit.step('elevate');
  await expect(page.getByRole('heading', { name: wordsPattern('login.headingElevate') })).toBeVisible();
  expect(await visit.usable('userName')).toBe(0);
  await expect(visit.field('password').last()).toBeFocused();
  expect(await visit.shown()).toContain(dana);
  await expect(visit.action('back-to-site')).toHaveCount(0);
  await visit.signIn();
  const { input } = await visit.called('authenticate');
  expect(input.body).toMatchObject({
    userName: dana,
    password,
    site: 'northwind',
    authSite: 'northwind',
    returnUrl: visit.returnUrl(),
  });
});

test('elevate: after the password the page follows the given location at once, because the session is valid', async ({
  page,
  visit,
  scripted,
}) => {
  visit.signedIn({ promptMethod: 'elevate' });
  await visit.open();
  await visit.step('elevate');
  await visit.signIn();
  await page.waitForURL(`${scripted.urls.application}/arrived`);
  expect(scripted.received('getPostLoginRedirect')).toHaveLength(0);
});

test('elevate: “back to boards” links to the cancel address, otherwise to the original client, and is absent without both', async ({
  page,
  visit,
  scripted,
}) => {
  const { application } = scripted.urls;
  visit.signedIn({ promptMethod: 'elevate', cancelRedirectUri: null, originalClientUri: null });
  await visit.open();
  await visit.step('elevate');
  await expect(visit.action('back-to-boards')).toHaveCount(0);
  visit.signedIn({
    promptMethod: 'elevate',
    cancelRedirectUri: null,
    originalClientUri: `${application}/client`,
  });
  await visit.open();
  await visit.step('elevate');
  await expect(visit.action('back-to-boards')).toHaveAttribute('href', `${application}/client`);
  visit.signedIn({ promptMethod: 'elevate' });
  await visit.open();
  await visit.step('elevate');
  await visit.action('back-to-boards').click();
  await page.waitForURL(`${application}/cancelled`);
});

test('elevate: a wrong password shows a message in the form, and clears and focuses the field', async ({
  visit,
  scripted,
}) => {
  visit.signedIn({ promptMethod: 'elevate' });
  scripted.script.fail('authenticate', 'invalid_credentials');
  await visit.open();
  await visit.step('elevate');
  await visit.signIn();
  await expect(visit.alert).toHaveText(wordsPattern('login.errors.invalidCredentials'));
  await expect(visit.field('password').last()).toHaveValue('');
  await expect(visit.field('password').last()).toBeFocused();
  expect(await visit.stepNow()).toBe('elevate');
});

test('elevate: an empty password shows a message and is not sent', async ({ visit, scripted }) => {
  visit.signedIn({ promptMethod: 'elevate' });
  await visit.open();
  await visit.step('elevate');
  await visit.submit();
  await expect(visit.field('password').last()).toHaveAccessibleDescription(
    wordsPattern('login.errors.passwordRequired'),
  );
  expect(scripted.received('authenticate')).toHaveLength(0);
});

test('elevate: a user of an external provider is redirected to it with forced authentication', async ({
  page,
  visit,
  scripted,
}) => {
  visit.signedIn({
    promptMethod: 'elevate',
    allowPasswordEntry: false,
    session: { state: 'valid', authSite: 'northwind', isExternallyAuthenticated: true },
  });
  scripted.script.answer('getSiteSettings', { allowPasswordEntry: false });
  scripted.script.answer('getUserSettings', { shouldRedirectToExternalAuth: true });
  await visit.open();
  await page.waitForURL(`${scripted.urls.application}/enterprise-sign-in`);
  const { input } = await visit.called('getExternalRedirect');
  expect(input.query).toEqual({
    site: 'northwind',
    returnUrl: visit.returnUrl(),
    forceAuthentication: 'true',
  });
});

test('password required: the title is “Confirm your password”, and the call names the site that requires it', async ({
  page,
  visit,
  scripted,
}) => {
  visit.choosing();
  scripted.script.answer('selectSite', { status: 'password_required' });
  await visit.open();
  await visit.step('select-site');
  await page.locator('[data-site="harbor"] button').first().click();
  await visit.step('password-required');
  await expect(page).toHaveTitle(/Confirm your password/);
  await expect(page.getByRole('heading', { name: wordsPattern('passwordRequired.heading') })).toBeVisible();
  await expect(visit.field('password').last()).toBeFocused();
  await visit.signIn();
  const { input } = await visit.called('authenticate');
  expect(input.body).toMatchObject({ site: 'harbor', userName: dana, password });
});

test('password required: the back link returns to the previous step, which is usable again', async ({
  page,
  visit,
  scripted,
}) => {
  visit.choosing();
  scripted.script.answer('selectSite', { status: 'password_required' });
  await visit.open();
  await visit.step('select-site');
  await page.locator('[data-site="harbor"] button').first().click();
  await visit.step('password-required');
  await visit.action('back').click();
  await visit.step('select-site');
  expect(await visit.isLoading()).toBe(false);
  await page.locator('[data-site="summit"] button').first().click();
  await visit.step('password-required');
  expect(scripted.received('selectSite').at(-1)?.input.body.site).toBe('summit');
});

test('password required: after authenticate the back link returns to the credentials', async ({
  visit,
  scripted,
}) => {
  scripted.script.answer('authenticate', { status: 'password_required' });
  await visit.open();
  await visit.signIn();
  await visit.step('password-required');
  await expect(visit.field('password').last()).toHaveValue('');
  await visit.action('back').click();
  await visit.step('credentials');
  await expect(visit.field('password')).toHaveValue('');
});

test('password required: a wrong password shows a message in the form, and clears and focuses the field', async ({
  visit,
  scripted,
}) => {
  scripted.script.answer('authenticate', { status: 'password_required' });
  await visit.open();
  await visit.signIn();
  await visit.step('password-required');
  scripted.script.fail('authenticate', 'invalid_credentials');
  await visit.signIn();
  await expect(visit.alert).toHaveText(wordsPattern('login.errors.invalidCredentials'));
  await expect(visit.field('password').last()).toHaveValue('');
  await expect(visit.field('password').last()).toBeFocused();
  expect(await visit.stepNow()).toBe('password-required');
});

test('password required: no back link without a previous step', async ({ visit }) => {
  visit.signedIn();
  await visit.open('/login-wizard/password-required');
  await expect(visit.action('back')).toHaveCount(0);
});
