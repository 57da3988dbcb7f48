import { readFile } from 'node:fs/promises';
import { supportedLocales } from '@anteroom/contract';
import { authenticatorCode } from '@anteroom/testkit/authenticator';
import { demoUsers } from '@anteroom/testkit/demo-users';
import { findViolations } from '../../fixtures/accessibility.ts';
import { readKeyOfApp } from '../../fixtures/set-up-app.ts';
import { signInAtPortal } from '../../fixtures/sign-in-at-portal.ts';
import { tabTo } from '../../fixtures/tab-to.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

test('an unknown path below the account page shows the error page', async ({ page, product }) => {
  const answer = await page.goto(`${product.identity.url}/ui/account/nothing`);
  expect(answer?.status()).toBe(404);
  await expect(page.locator('main[data-step="error"]')).toBeVisible();
});

test('a user whose site requires no second factor removes the authenticator app', async ({
  page,
  product,
}) => {
  await signInAtPortal(page, product);
  await page.waitForURL(`${product.demo.url}/**`);
  await page.locator('[data-action="account"]').click();
  await page.locator('[data-action="set-up-app"]').click();
  const secret = await readKeyOfApp(page);
  await page.keyboard.type(authenticatorCode(secret, product.clock.now()));
  await page.keyboard.press('Enter');
  await tabTo(page, '[data-action="remove-app"]');
  await page.keyboard.press('Enter');
  await expect(page.locator('main :focus')).toContainText(words('account.app.removeQuestion'));
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-row="app"] [data-banner]')).toHaveText(words('account.app.removed'));
  await expect(page.locator('[data-row="app"] h3')).toBeFocused();
  await expect(page.locator('[data-action="remove-app"]')).toHaveCount(0);
});

test('a keyboard user reaches and uses every control of the account page in the order of the page', async ({
  page,
  product,
}) => {
  await signInAtPortal(page, product);
  await page.waitForURL(`${product.demo.url}/**`);
  await tabTo(page, '[data-action="account"]');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: words('account.heading') })).toBeFocused();

  const controls = await page.locator('main').locator('a, button, select').all();
  const expected = await Promise.all(controls.map((control) => control.evaluate(nameOf)));
  const reached: string[] = [];
  await tabTo(page, '[data-action="next-step"]');
  for (let count = 0; count < expected.length; count += 1) {
    const control = page.locator(':focus');
    reached.push(await control.evaluate(nameOf));
    expect(await control.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe('none');
    await page.keyboard.press('Tab');
  }
  expect(reached).toEqual(expected);

  await tabTo(page, 'select[name="theme"]');
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.keyboard.type(words('account.display.dark'));
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await page.reload();
  await expect(page.getByRole('heading', { name: words('account.heading') })).toBeFocused();
  expect(await background()).toBe(dark);
  await page.emulateMedia({ colorScheme: 'dark' });
  await tabTo(page, 'select[name="theme"]');
  await page.keyboard.type(words('account.display.light'));
  await expect.poll(background).toBe(light);
  // the first option, "same as this device"
  await page.keyboard.press('Home');
  await expect.poll(background).toBe(dark);
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('anteroom_theme');

  await tabTo(page, 'select[name="language"]');
  await page.keyboard.type('Deutsch');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.locator('select[name="language"]')).toBeFocused();
  // Two options further, faster than a language is loaded.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('html')).toHaveAttribute(
    'lang',
    supportedLocales[supportedLocales.indexOf('de') + 2] ?? '',
  );
  await expect(page.locator('select[name="language"]')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');

  await expect(page.locator('[data-activity] li').first()).toContainText(words('account.activity.signedIn'));

  await tabTo(page, '[data-action="show-data"]');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: words('account.data.heading') })).toBeFocused();
  await expect(page.locator('main')).toContainText(demoUsers.secretary);
  await tabTo(page, '[data-action="back"]');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-action="show-data"]')).toBeFocused();

  await tabTo(page, '[data-action="download-data"]');
  const saving = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const file = await saving;
  expect(file.suggestedFilename()).toBe('account-data.json');
  const data = JSON.parse(await readFile(await file.path(), 'utf8')) as { account: { userName: string } };
  expect(data.account.userName).toBe(demoUsers.secretary);
  await expect(page.locator('[data-banner]')).toHaveText(words('account.data.done'));
  // the message stays visible, although the control is far below it
  await expect(page.locator('[data-banner]')).toBeInViewport();
});

/** The identifier of a control in this test: its action, name or text. Runs in the page. */
function nameOf(control: Element): string {
  return control.getAttribute('data-action') ?? control.getAttribute('name') ?? control.textContent;
}
