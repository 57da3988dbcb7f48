import { arriveAt } from '../fixtures/arrive.ts';
import { contextAt } from '@anteroom/testkit/scripted/opening-scene';
import {
  openAt,
  playRequiredChange,
  playSecondFactor,
  submitCredentials,
  waitForStep,
} from '../fixtures/scenes.ts';
import { expect, test } from '../fixtures/test.ts';
import { words } from '../fixtures/words.ts';

// Each step with the keyboard only, against a scripted service.

test('a keyboard user enters a code from a message and chooses “public computer”', async ({
  page,
  scripted,
}) => {
  await page.clock.install();
  await playSecondFactor(page, scripted);
  await expect(page.getByText(words('mfa.sentTo', { suffix: 42 }))).toBeVisible();
  await expect(page.locator('input[name="code-1"]')).toBeFocused();
  await page.keyboard.type('246810');
  await page.getByRole('checkbox', { name: words('mfa.publicComputer') }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: words('common.continue') }).focus();
  await page.keyboard.press('Enter');

  await arriveAt(page, `${scripted.urls.application}/arrived`);
  const [sent] = scripted.received('verifyMfaCode');
  expect(sent?.input.body).toMatchObject({ code: '246810', publicComputerSignIn: true });
});

test('a wrong code clears the boxes, shows a message, and keeps the choice of a public computer', async ({
  page,
  scripted,
}) => {
  scripted.script.fail('verifyMfaCode', 'invalid_credentials');
  await playSecondFactor(page, scripted);
  await page.getByRole('checkbox', { name: words('mfa.publicComputer') }).check();
  await page.locator('input[name="code-1"]').click();
  await page.keyboard.type('111111');
  await page.keyboard.press('Enter');

  await expect(page.getByText(words('mfa.errors.invalidCodeHeading'))).toBeVisible();
  await expect(page.locator('input[name="code-1"]')).toHaveValue('');
  await expect(page.getByRole('checkbox', { name: words('mfa.publicComputer') })).toBeChecked();
});

test('an expired code returns to the sign-in and shows the reason', async ({ page, scripted }) => {
  scripted.script.fail('verifyMfaCode', 'mfa_token_expired');
  await playSecondFactor(page, scripted);
  await page.locator('input[name="code-1"]').click();
  await page.keyboard.type('111111');
  await page.keyboard.press('Enter');

  await waitForStep(page, 'credentials');
  await expect(page.locator('[data-notification]')).toContainText(words('mfa.errors.mfaTokenExpired'));
});

test('a keyboard user completes a required password change', async ({ page, scripted }) => {
  await page.clock.install();
  await playRequiredChange(page, scripted);
  await expect(page.getByText(words('passwordPolicy.minimumLength', { minimumLength: 15 }))).toBeVisible();
  await expect(page.getByLabel(words('resetPassword.currentPassword'), { exact: true })).toBeFocused();
  await page.keyboard.type('old password');
  await page.keyboard.press('Tab');
  for (const expected of ['newPassword', 'newPasswordConfirmation']) {
    const field = page.getByLabel(words(`resetPassword.${expected}`), { exact: true });
    // the button that shows the password is between the fields
    while (!(await field.evaluate((element) => element === document.activeElement)))
      await page.keyboard.press('Tab');
    await page.keyboard.type('a new and longer password');
  }
  await page.keyboard.press('Enter');

  await arriveAt(page, `${scripted.urls.application}/arrived`);
  expect(scripted.received('passwordReset')[0]?.input.body).toMatchObject({
    currentPassword: 'old password',
    newPassword: 'a new and longer password',
    newPasswordConfirmation: 'a new and longer password',
  });
});

test('a user can cancel a voluntary password change', async ({ page, scripted }) => {
  scripted.script.answer(
    'getAuthContext',
    contextAt(scripted.urls, {
      userName: 'dana@northwind.example',
      promptMethod: 'change_password',
      session: { state: 'valid', authSite: 'northwind', isExternallyAuthenticated: false },
    }),
  );
  await openAt(page, scripted);
  await waitForStep(page, 'password-reset-voluntary');
  await page.getByRole('button', { name: words('common.cancel') }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${scripted.urls.application}/cancelled`);
});

test('a site that requires the password again is named on the page and gets it', async ({
  page,
  scripted,
}) => {
  scripted.script.answer(
    'getAuthContext',
    contextAt(scripted.urls, {
      userName: 'dana@northwind.example',
      session: { state: 'valid', authSite: 'northwind', isExternallyAuthenticated: false },
    }),
  );
  scripted.script.answer('authenticate', { status: 'password_required' });
  await openAt(page, scripted);
  await submitCredentials(page);
  await waitForStep(page, 'password-required');
  scripted.script.answer('authenticate', {
    status: 'redirect',
    location: `${scripted.urls.application}/arrived`,
  });
  await expect(page.getByLabel(words('login.password'), { exact: true })).toBeFocused();
  await page.keyboard.type('a password');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${scripted.urls.application}/arrived`);
  expect(scripted.received('authenticate').at(-1)?.input.body).toMatchObject({ site: 'northwind' });
});

test('a keyboard user confirms a sign-out and is redirected to the application’s address', async ({
  page,
  scripted,
}) => {
  await openAt(page, scripted, '/account/logout?logoutId=lo-1');
  await waitForStep(page, 'logout');
  await page.getByRole('button', { name: words('logout.signOut') }).focus();
  await page.keyboard.press('Enter');
  await waitForStep(page, 'logged-out');
  await page.waitForURL(`${scripted.urls.application}/signed-out`);
  expect(scripted.received('signOut')).toHaveLength(1);
});

test('a password never appears in the address, in storage or in the history state', async ({
  page,
  scripted,
}) => {
  const secret = 'a password that nobody may keep 7391';
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await openAt(page, scripted);
  await page.getByRole('textbox', { name: words('login.userName') }).fill('dana');
  await page.getByLabel(words('login.password'), { exact: true }).fill(secret);
  await page.getByRole('button', { name: words('login.signIn') }).click();
  await waitForStep(page, 'second-factor-required');
  const kept = await page.evaluate(() =>
    JSON.stringify([
      location.href,
      document.cookie,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      history.state as unknown,
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map(({ value }) => value),
    ]),
  );
  expect(kept).not.toContain(secret);
});
