import { expect, test } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

test.beforeEach(({ visit }) => visit.context({ identityServiceUrl: null, defaultSite: null }));

test('site entry: one field, “Continue”, the title “Enter a Site” and a link for a forgotten site', async ({
  page,
  visit,
  scripted,
}) => {
  await visit.open('/account/login', { returnUrl: { requested_language: 'en' } });
  await visit.step('site-entry');
  await expect(page).toHaveTitle(/Enter a Site/);
  await expect(page.locator('main input:not([type="hidden"])')).toHaveCount(1);
  await expect(page.getByRole('button', { name: wordsPattern('common.continue') })).toHaveAttribute(
    'type',
    'submit',
  );
  const address = new URL((await visit.action('forgot-site').getAttribute('href')) ?? '');
  expect(address.origin + address.pathname).toBe(`${scripted.urls.application}/forgot-site`);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    culture: 'en',
    refererClientId: 'director',
    refererScopes: 'openid profile',
    refererRedirectUri: 'https://boards.example/back?x=1&y=2',
  });
  visit.context({ identityServiceUrl: null, siteRecoveryClientUri: null });
  await visit.open();
  await visit.step('site-entry');
  await expect(visit.action('forgot-site')).toHaveCount(0);
});

test('site entry: a site is required, trimmed, and has at most 50 characters', async ({
  visit,
  scripted,
}) => {
  await visit.open();
  await visit.step('site-entry');
  for (const nothing of ['', '   ']) {
    await visit.field('site').fill(nothing);
    await visit.submit();
    await expect(visit.field('site')).toHaveAttribute('aria-invalid', 'true');
    await expect(visit.field('site')).toHaveAccessibleDescription(wordsPattern('site.errors.siteRequired'));
  }
  await visit.field('site').fill('s'.repeat(51));
  await visit.submit();
  const { length } = await visit.field('site').inputValue();
  if (length > 50)
    await expect(visit.field('site')).toHaveAccessibleDescription(
      wordsPattern('site.errors.siteTooLong', { count: 50 }),
    );
  expect(scripted.received('getSiteExistence').every(({ input }) => input.params.name.length <= 50)).toBe(
    true,
  );
  await visit.field('site').fill(`  ${'t'.repeat(50)}  `);
  const before = scripted.received('getSiteExistence').length;
  await visit.submit();
  expect((await visit.called('getSiteExistence', before + 1)).input.params.name).toBe('t'.repeat(50));
});

test('site entry: an unknown site shows a message at the field, and any other failure none', async ({
  visit,
  scripted,
}) => {
  scripted.script.answer('getSiteExistence', { siteExists: false });
  await visit.open();
  await visit.field('site').fill('nowhere');
  await visit.submit();
  await expect(visit.field('site')).toHaveAccessibleDescription(wordsPattern('site.errors.siteDoesNotExist'));
  await expect(visit.field('site')).toHaveValue('nowhere');
  scripted.script.fail('getSiteExistence', 'internal_error');
  await visit.submit();
  await visit.called('getSiteExistence', 2);
  await expect.poll(async () => visit.isLoading()).toBe(false);
  await expect(visit.field('site')).not.toHaveAttribute('aria-invalid', 'true');
  await expect(visit.alert).toHaveCount(0);
  await visit.step('site-entry');
});

test('site entry: the form shows progress during the lookup of the site', async ({ visit, scripted }) => {
  const release = scripted.script.hold('getSiteExistence');
  await visit.open();
  await visit.field('site').fill('harbor');
  await visit.submit();
  await visit.called('getSiteExistence');
  expect(await visit.isLoading()).toBe(true);
  release();
  await visit.step('credentials');
  expect(await visit.isLoading()).toBe(false);
});
