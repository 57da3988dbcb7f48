import { dana, expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

test.beforeEach(({ scripted }) => {
  scripted.script.answer('getSiteSettings', { allowPasswordEntry: false });
  scripted.script.answer('getUserSettings', { shouldRedirectToExternalAuth: true });
});

test('external sign-in: a name of an external provider redirects the browser to the external redirect path', async ({
  page,
  visit,
  scripted,
}) => {
  visit.context({ allowPasswordEntry: false });
  await visit.open();
  await visit.step('credentials');
  await visit.field('userName').fill('employee@corp.example');
  await visit.submit();
  await page.waitForURL(`${scripted.urls.application}/enterprise-sign-in`);
  const lookup = await visit.called('getUserSettings');
  expect(lookup.input.query).toEqual({
    usernameOrEmail: 'employee@corp.example',
    site: 'northwind',
    returnUrl: visit.returnUrl(),
  });
  const { input, headers } = await visit.called('getExternalRedirect');
  expect(input.query).toEqual({
    site: 'northwind',
    returnUrl: visit.returnUrl(),
    forceAuthentication: 'false',
  });
  // a navigation instead of a call, so that the provider can set first-party cookies
  expect(headers.accept).toContain('text/html');
  expect(scripted.received('authenticate')).toHaveLength(0);
});

test('external sign-in: the site settings override the context in both directions', async ({
  visit,
  scripted,
}) => {
  visit.context({ allowPasswordEntry: true });
  await visit.open();
  await visit.step('credentials');
  expect(await visit.usable('password')).toBe(0);
  visit.context({ allowPasswordEntry: false });
  scripted.script.answer('getSiteSettings', { allowPasswordEntry: true });
  await visit.open();
  await visit.step('credentials');
  expect(await visit.usable('password')).toBe(1);
});

test('external sign-in: a known name is looked up and redirected to its provider', async ({
  page,
  visit,
  scripted,
}) => {
  visit.context({ userName: 'employee@corp.example' });
  await visit.open();
  const button = page.locator('main[data-step="credentials"] button[type="submit"]');
  await Promise.race([
    page.waitForURL(`${scripted.urls.application}/enterprise-sign-in`),
    button.click().catch(() => undefined),
  ]);
  await page.waitForURL(`${scripted.urls.application}/enterprise-sign-in`);
  expect(scripted.received('getUserSettings')[0]?.input.query.usernameOrEmail).toBe('employee@corp.example');
});

test('external sign-in: during the lookup the form shows progress, and a second submission has no effect', async ({
  page,
  visit,
  scripted,
}) => {
  const release = scripted.script.hold('getUserSettings');
  await visit.open();
  await visit.field('userName').fill(dana);
  await visit.submit();
  await visit.called('getUserSettings');
  await expect.poll(async () => visit.isLoading()).toBe(true);
  await visit.field('userName').press('Enter');
  release();
  await page.waitForURL(`${scripted.urls.application}/enterprise-sign-in`);
  expect(scripted.received('getUserSettings')).toHaveLength(1);
  expect(scripted.received('getExternalRedirect')).toHaveLength(1);
});

test('external sign-in: after a failed lookup the form keeps the name and is usable', async ({
  page,
  visit,
  scripted,
}) => {
  await visit.open();
  await visit.field('userName').fill(dana);
  scripted.script.fail('getUserSettings', 'rate_limit_reached');
  await visit.submit();
  await visit.called('getUserSettings');
  await expect.poll(async () => visit.isLoading()).toBe(false);
  expect(await visit.stepNow()).toBe('credentials');
  await expect(visit.field('userName')).toHaveValue(dana);
  scripted.script.answer('getUserSettings', { shouldRedirectToExternalAuth: true });
  await visit.submit();
  await page.waitForURL(`${scripted.urls.application}/enterprise-sign-in`);
});

test('external sign-in: a user name has at most 100 characters', async ({ visit, scripted }) => {
  await visit.open();
  await visit.field('userName').fill('a'.repeat(101));
  await visit.submit();
  const { length } = await visit.field('userName').inputValue();
  if (length > 100)
    await expect(visit.field('userName')).toHaveAccessibleDescription(
      wordsPattern('login.errors.userNameTooLong', { count: 100 }),
    );
  expect(
    scripted.received('getUserSettings').every(({ input }) => input.query.usernameOrEmail.length <= 100),
  ).toBe(true);
});

test('external sign-in: the redirect names the site that the visitor entered', async ({
  page,
  visit,
  scripted,
}) => {
  visit.context({ identityServiceUrl: null, defaultSite: null });
  await visit.open();
  await visit.field('site').fill('  corp  ');
  await visit.submit();
  await visit.step('credentials');
  await visit.field('userName').fill('employee@corp.example');
  await visit.submit();
  await page.waitForURL(`${scripted.urls.application}/enterprise-sign-in`);
  expect(scripted.received('getSiteExistence')[0]?.input.params.name).toBe('corp');
  expect(scripted.received('getExternalRedirect')[0]?.input.query.site).toBe('corp');
});

test('external sign-in: a site with neither name nor password entry redirects to its provider', async ({
  page,
  visit,
  scripted,
}) => {
  visit.context({ allowUserNameEntry: false, allowPasswordEntry: false });
  await visit.open();
  await page.waitForURL(`${scripted.urls.application}/enterprise-sign-in`);
  expect(scripted.received('getExternalRedirect')[0]?.input.query).toMatchObject({ site: 'northwind' });
});
