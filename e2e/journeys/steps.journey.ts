import { arriveAt } from '../fixtures/arrive.ts';
import { openAt, playRequiredChange, playSecondFactor, waitForStep } from '../fixtures/scenes.ts';
import { expect, test } from '../fixtures/test.ts';
import { words } from '../fixtures/words.ts';

// Each step with the keyboard only, against a scripted service.

test('a keyboard user enters a code from a message and chooses “public computer” [2.10, 3.10, WCAG 2.1.1]', async ({
  page,
  scripted,
}) => {
  await page.clock.install();
  await playSecondFactor(page, scripted);
  await expect(page.getByText(words('secondFactor.sentTo', { suffix: 42 }))).toBeVisible();
  await expect(page.locator('input[name="code-1"]')).toBeFocused();
  await page.keyboard.type('246810');
  await page.getByRole('checkbox', { name: words('secondFactor.publicComputer') }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: words('common.continue') }).focus();
  await page.keyboard.press('Enter');

  await arriveAt(page, `${scripted.urls.application}/arrived`);
  const [sent] = scripted.received('verifyMfaCode');
  expect(sent?.input.body).toMatchObject({ code: '246810', publicComputerSignIn: true });
});

test('a keyboard user completes a required password change [WCAG 2.1.1]', async ({ page, scripted }) => {
  await page.clock.install();
  await playRequiredChange(page, scripted);
  await expect(page.getByText(words('passwordPolicy.minimumLength', { minimumLength: 15 }))).toBeVisible();
  await expect(page.getByLabel(words('passwordChange.currentPassword'), { exact: true })).toBeFocused();
  await page.keyboard.type('old password');
  await page.keyboard.press('Tab');
  for (const expected of ['newPassword', 'newPasswordConfirmation']) {
    const field = page.getByLabel(words(`passwordChange.${expected}`), { exact: true });
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

test('a keyboard user confirms a sign-out and is redirected to the application’s address [WCAG 2.1.1]', async ({
  page,
  scripted,
}) => {
  await openAt(page, scripted, '/account/logout?logoutId=lo-1');
  await waitForStep(page, 'logout');
  await page.getByRole('button', { name: words('common.signOut') }).focus();
  await page.keyboard.press('Enter');
  await waitForStep(page, 'logged-out');
  await page.waitForURL(`${scripted.urls.application}/signed-out`);
  expect(scripted.received('signOut')).toHaveLength(1);
});

test('a password never appears in the address, in storage or in the history state [S21]', async ({
  page,
  scripted,
}) => {
  const secret = 'a password that nobody may keep 7391';
  scripted.script.answer('authenticate', { status: 'second_factor_required' });
  await openAt(page, scripted);
  await page.getByRole('textbox', { name: words('login.userName') }).fill('dana');
  await page.getByLabel(words('login.password'), { exact: true }).fill(secret);
  await page.getByRole('button', { name: words('login.signIn'), exact: true }).click();
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
