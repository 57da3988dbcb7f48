import { arriveAt } from '../fixtures/arrive.ts';
import { contextAt } from '@anteroom/testkit/scripted/opening-scene';
import type { ScriptedIdentity } from '@anteroom/testkit/scripted/scripted-identity';
import { dana, expect, test } from './visit.ts';
import type { Visit } from './visit.ts';
import { wordsPattern } from '../fixtures/words.ts';

/** Signs in with a password that must be changed. */
async function openRequiredChange(visit: Visit, { script }: ScriptedIdentity): Promise<void> {
  script.answer('authenticate', { status: 'password_reset_required' });
  await visit.open();
  await visit.signIn('the old one');
  await visit.step('password-reset-required');
}

async function fill(visit: Visit, values: [string, string, string]): Promise<void> {
  await visit.field('currentPassword').fill(values[0]);
  await visit.field('newPassword').fill(values[1]);
  await visit.field('newPasswordConfirmation').fill(values[2]);
}

test('required change: the page opens after it has reloaded the context and the policy of the user and the site', async ({
  visit,
  scripted,
}) => {
  const releaseContext = scripted.script.hold('getRefreshContext');
  scripted.script.answer('authenticate', { status: 'password_reset_required' });
  await visit.open();
  await visit.signIn();
  await visit.called('getRefreshContext');
  expect(scripted.received('passwordPolicy')).toHaveLength(0);
  const releasePolicy = scripted.script.hold('passwordPolicy');
  releaseContext();
  const { input } = await visit.called('passwordPolicy');
  expect(input.body).toEqual({ userName: dana, site: 'northwind' });
  expect(await visit.stepNow()).toBe('credentials');
  releasePolicy();
  await visit.step('password-reset-required');
});

test('required change: three named fields, a separate heading, a reset and a cancel button, no theme', async ({
  page,
  visit,
  scripted,
}) => {
  await openRequiredChange(visit, scripted);
  await expect(page).toHaveTitle(/Change password/);
  await expect(
    page.getByRole('heading', { name: wordsPattern('resetPassword.headingRequired') }),
  ).toBeVisible();
  for (const [name, autocomplete] of [
    ['currentPassword', 'current-password'],
    ['newPassword', 'new-password'],
    ['newPasswordConfirmation', 'new-password'],
  ] as const) {
    await expect(visit.field(name)).toHaveAttribute('autocomplete', autocomplete);
    await expect(visit.field(name)).toHaveAttribute('type', 'password');
    await expect(visit.field(name)).toHaveValue('');
  }
  await expect(visit.field('currentPassword')).toBeFocused();
  await expect(page.getByRole('button', { name: wordsPattern('resetPassword.reset') })).toHaveAttribute(
    'type',
    'submit',
  );
  await expect(visit.action('cancel')).toHaveCount(1);
  await expect(page.locator('[data-theme="external-access"]')).toHaveCount(0);
  await expect(visit.action('privacy-policy')).toBeVisible();
  await expect(visit.action('back')).toHaveCount(0);
});

test('required change: a wrong phone number shows the sanitised description of the service', async ({
  page,
  visit,
  scripted,
  noise,
}) => {
  scripted.script.fail('passwordReset', 'mfa_invalid_phone_number', {
    description:
      'Number <b>+00 1</b> is unknown.<script>globalThis.hit=1</script><img src=x onerror="globalThis.hit=1">',
  });
  await openRequiredChange(visit, scripted);
  await fill(visit, ['old', 'new one', 'new one']);
  await visit.submit();
  await expect(page.locator('body')).toContainText(wordsPattern('mfa.errors.invalidPhoneNumber'));
  await expect(page.locator('body')).toContainText('Number +00 1 is unknown.');
  await expect(page.locator('main img, [data-notification] img')).toHaveCount(0);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'hit') as unknown)).toBeUndefined();
  // the CSP reports the event handler while the sanitiser removes it
  noise.splice(0);
});

test('required change: after “redirect” the page reloads the policy and follows the location', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  await openRequiredChange(visit, scripted);
  const policies = scripted.received('passwordPolicy').length;
  await fill(visit, ['old', 'new one', 'new one']);
  await visit.submit();
  await visit.called('passwordPolicy', policies + 1);
  await arriveAt(page, `${scripted.urls.application}/arrived`);
  const { input } = await visit.called('getPostLoginRedirect');
  expect(input.query.returnUrl).toBe(visit.returnUrl());
});

test('required change: the page follows the location even if the policy cannot be reloaded', async ({
  page,
  visit,
  scripted,
}) => {
  await page.clock.install();
  await openRequiredChange(visit, scripted);
  scripted.script.fail('passwordPolicy', 'internal_error');
  await fill(visit, ['old', 'new one', 'new one']);
  await visit.submit();
  await arriveAt(page, `${scripted.urls.application}/arrived`);
});

test('required change: the next step can be a code or a choice of site', async ({ visit, scripted }) => {
  await openRequiredChange(visit, scripted);
  scripted.script.answer('passwordReset', { status: 'second_factor_required' });
  await fill(visit, ['old', 'new one', 'new one']);
  await visit.submit();
  await visit.step('second-factor-required');

  await openRequiredChange(visit, scripted);
  scripted.script.answer('passwordReset', { status: 'select_site_required' });
  scripted.script.answer(
    'getRefreshContext',
    contextAt(scripted.urls, {
      userName: dana,
      selectSite: true,
      session: { state: 'valid', isExternallyAuthenticated: false },
    }),
  );
  const refreshed = scripted.received('getRefreshContext').length;
  await fill(visit, ['old', 'new one', 'new one']);
  await visit.submit();
  await visit.step('select-site');
  await visit.called('getRefreshContext', refreshed + 1);
});

test('required change: cancel returns to the credentials with empty fields', async ({
  page,
  visit,
  scripted,
}) => {
  await openRequiredChange(visit, scripted);
  await fill(visit, ['old', 'new one', 'new one']);
  await visit.action('cancel').click();
  await visit.step('credentials');
  await expect(visit.field('password')).toHaveValue('');
  expect(scripted.received('passwordReset')).toHaveLength(0);
  expect(new URL(page.url()).pathname).toBe('/ui/account/login');
});

test('required change: a double click sends one call', async ({ page, visit, scripted }) => {
  await page.clock.install();
  await openRequiredChange(visit, scripted);
  const release = scripted.script.hold('passwordReset');
  await fill(visit, ['old', 'new one', 'new one']);
  await page.locator('main button[type="submit"]').dblclick();
  await visit.called('passwordReset');
  expect(await visit.isLoading()).toBe(true);
  release();
  await arriveAt(page, `${scripted.urls.application}/arrived`);
  expect(scripted.received('passwordReset')).toHaveLength(1);
});
