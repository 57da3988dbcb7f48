import { expect, test } from './visit.ts';

test.beforeEach(({ scripted }) => {
  scripted.script.answer('getSiteSettings', { allowPasswordEntry: false });
  scripted.script.answer('getUserSettings', { shouldRedirectToExternalAuth: true });
});

test('external sign-in: a name of an external provider redirects the browser to the external redirect path [4.18, 7.5]', async ({
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
