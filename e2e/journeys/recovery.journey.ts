import { startWorld } from '@anteroom/testkit';
import type { World } from '@anteroom/testkit';
import { demoPassword, demoPeople } from '@anteroom/testkit/demo-people';
import type { Page } from '@playwright/test';
import { findViolations } from '../fixtures/accessibility.ts';
import { languages, openLook } from '../fixtures/look.ts';
import { readMessages, receiveMessage } from '../fixtures/mails.ts';
import { listenForNoise } from '../fixtures/noise.ts';
import { expect, test } from '../fixtures/test.ts';
import { words } from '../fixtures/words.ts';

// Passwords change here: these journeys have a product of their own, and come one after the other.
test.describe.configure({ mode: 'default' });
let world: World;
test.beforeAll(async () => {
  world = await startWorld();
});
test.afterAll(async () => world.close());
test.afterEach(() => {
  // nobody has used up what they may ask for, and no link of another journey is alive
  world.clock.advanceSeconds(2 * 60 * 60);
});

const newPassword = 'seven lanterns over the river';
const passwordField = words('resetPassword.newPassword');
const confirmationField = words('resetPassword.newPasswordConfirmation');

async function goToSiteEntry(page: Page): Promise<void> {
  await page.goto(world.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page.getByRole('textbox', { name: words('site.label') })).toBeFocused();
}

async function goToCredentials(page: Page, site: string): Promise<void> {
  await goToSiteEntry(page);
  await page.keyboard.type(site);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toBeFocused();
}

async function openPage(page: Page, name: string, query = ''): Promise<void> {
  await page.goto(`${world.identity.url}/ui/recovery/${name}?skip_splash&refererClientId=director${query}`);
  await expect(page.locator(`main[data-step="${name}"]`)).toBeVisible();
}

/** Asks for a link on the page that is open; answers its address. */
async function askForLink(page: Page, userName: string): Promise<string> {
  const before = (await readMessages(world, userName)).length;
  await page.getByRole('textbox', { name: words('login.userName') }).fill(userName);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: words('recovery.password.sentHeading') })).toBeFocused();
  const { links } = await receiveMessage(world, userName, before);
  if (!links[0]) throw new Error('The message has no link');
  return links[0];
}

async function typeNewPassword(page: Page, password: string): Promise<void> {
  await expect(page.getByLabel(passwordField, { exact: true })).toBeFocused();
  await page.keyboard.type(password);
  // over the button that shows the password
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel(confirmationField, { exact: true })).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

async function expectClaims(page: Page, email: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`^${world.demo.url}/`));
  await expect(page.locator('[data-claim="email"]')).toHaveText(email);
}

test('a secretary who has forgotten the password sets a new one by mail and goes on with the sign-in, by keyboard alone', async ({
  page,
}) => {
  await goToCredentials(page, 'harbor');
  await page.getByRole('link', { name: words('login.forgotCredentials') }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toBeFocused();
  const link = await askForLink(page, demoPeople.secretary);

  await page.goto(link);
  await expect(page.getByLabel(words('recovery.newPassword.account'))).toHaveValue(demoPeople.secretary);
  await typeNewPassword(page, newPassword);
  await expect(page.getByRole('heading', { name: words('recovery.newPassword.savedHeading') })).toBeFocused();

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: words('login.signIn'), exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toBeFocused();
  await page.keyboard.type(demoPeople.secretary);
  await page.keyboard.press('Tab');
  await page.keyboard.type(newPassword);
  await page.keyboard.press('Enter');
  await expectClaims(page, demoPeople.secretary);

  const [notice] = await readMessages(world, demoPeople.secretary);
  expect(notice?.subject).toBe('Your password was changed');
});

test('the link is in no address, no storage and no part of the page once the page has read it', async ({
  page,
}) => {
  await openPage(page, 'forgotten-password');
  const link = await askForLink(page, demoPeople.newcomer);
  const token = new URL(link).hash.slice(1);
  await page.goto(link);
  await expect(page.getByLabel(passwordField, { exact: true })).toBeFocused();

  expect(page.url()).not.toContain('#');
  const kept = await page.evaluate(() => [
    document.documentElement.outerHTML,
    document.cookie,
    JSON.stringify(Object.entries(localStorage)),
    JSON.stringify(Object.entries(sessionStorage)),
    JSON.stringify(history.state),
  ]);
  for (const place of kept) expect(place).not.toContain(token);

  await page.reload();
  await expect(
    page.getByRole('heading', { name: words('recovery.newPassword.linkMissingHeading') }),
  ).toBeFocused();
  // the same link, opened once more in the same tab
  await page.goto(link);
  await expect(page.getByLabel(passwordField, { exact: true })).toBeFocused();
});

test('a director sets a new password on another device, and is asked for the code at the next sign-in', async ({
  page,
  browser,
}) => {
  await openPage(page, 'forgotten-password');
  const link = await askForLink(page, demoPeople.director);

  const phone = await browser.newContext({ viewport: { width: 390, height: 800 }, reducedMotion: 'reduce' });
  const onPhone = await phone.newPage();
  await onPhone.goto(link);
  await typeNewPassword(onPhone, newPassword);
  await onPhone.getByRole('link', { name: words('login.signIn'), exact: true }).click();
  await expect(onPhone).toHaveURL(`${world.demo.url}/`);
  await phone.close();

  await goToCredentials(page, 'northwind');
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoPeople.director);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toContainText(words('login.errors.invalidCredentials'));

  const before = (await readMessages(world, '+442079460142')).length;
  await page.getByLabel(words('login.password'), { exact: true }).fill(newPassword);
  await page.keyboard.press('Enter');
  await expect(page.locator('main[data-step="second-factor-required"]')).toBeVisible();
  const { code = '' } = await receiveMessage(world, '+442079460142', before);
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expectClaims(page, demoPeople.director);
});

test('a link works once; who comes too late asks for a new one from there', async ({ page }) => {
  await openPage(page, 'forgotten-password');
  const link = await askForLink(page, demoPeople.newcomer);
  await page.goto(link);
  await typeNewPassword(page, newPassword);
  await expect(page.getByRole('heading', { name: words('recovery.newPassword.savedHeading') })).toBeFocused();

  await page.goto(link);
  await expect(
    page.getByRole('heading', { name: words('recovery.newPassword.linkExpiredHeading') }),
  ).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toBeFocused();
  await expect(page.getByRole('link', { name: words('recovery.backToSignIn') })).toHaveAttribute(
    'href',
    `${world.demo.url}/`,
  );
});

test('somebody nobody knows sees what everybody sees, and is sent nothing', async ({ page }) => {
  const seenFor = async (userName: string): Promise<string> => {
    await openPage(page, 'forgotten-password');
    await page.getByRole('textbox', { name: words('login.userName') }).fill(userName);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: words('recovery.password.sentHeading') })).toBeFocused();
    return page.locator('main').innerHTML();
  };
  const before = (await readMessages(world, demoPeople.secretary)).length;
  expect(await seenFor('nobody@demo.example')).toBe(await seenFor(demoPeople.secretary));
  await receiveMessage(world, demoPeople.secretary, before);
  expect(await readMessages(world, 'nobody@demo.example')).toEqual([]);
});

test('whoever has forgotten the site reads its name in a mail and enters it', async ({ page }) => {
  await goToSiteEntry(page);
  await page.getByRole('link', { name: words('site.forgotSite') }).click();
  await expect(page.getByRole('textbox', { name: words('recovery.site.email') })).toBeFocused();
  await page.keyboard.type('not an e-mail');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: words('recovery.site.email') })).toHaveAccessibleDescription(
    words('recovery.site.emailInvalid'),
  );
  const before = (await readMessages(world, demoPeople.secretary)).length;
  await page.getByRole('textbox', { name: words('recovery.site.email') }).fill(demoPeople.secretary);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: words('recovery.site.sentHeading') })).toBeFocused();
  const { text } = await receiveMessage(world, demoPeople.secretary, before);
  expect(text).toContain('- Harbor Trust: harbor');

  await page.getByRole('link', { name: words('recovery.backToSignIn') }).click();
  await expect(page.getByRole('textbox', { name: words('site.label') })).toBeFocused();
  await page.keyboard.type('harbor');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toBeFocused();
});

for (const language of languages)
  test(`every recovery page can be used by everybody, in light and in dark (${language})`, async ({
    browser,
    noise,
  }) => {
    const context = await openLook(browser, { language, colours: 'light' });
    const page = await context.newPage();
    listenForNoise(page, noise);
    const culture = `&culture=${language}`;
    const expectClean = async (): Promise<void> => {
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      expect(await findViolations(page)).toEqual([]);
    };
    const submit = async (): Promise<void> => page.locator('main button[type="submit"]').click();
    const invalid = page.locator('main [aria-invalid="true"]').first();

    await openPage(page, 'forgotten-site', culture);
    await expectClean();
    await submit();
    await expect(invalid).toBeFocused();
    await expectClean();

    await openPage(page, 'forgotten-password', culture);
    await expectClean();
    await submit();
    await expect(invalid).toBeFocused();
    await expectClean();
    const before = (await readMessages(world, demoPeople.secretary)).length;
    await page.locator('input[name="userName"]').fill(demoPeople.secretary);
    await submit();
    await expect(page.locator('main h2')).toBeFocused();
    await expectClean();

    const { links } = await receiveMessage(world, demoPeople.secretary, before);
    await page.goto(links[0] ?? '');
    await expect(page.locator('input[name="newPassword"]')).toBeFocused();
    await expectClean();
    await page.locator('input[name="newPassword"]').fill('short');
    await page.locator('input[name="newPasswordConfirmation"]').fill('short');
    await submit();
    await expect(invalid).toBeFocused();
    await expectClean();

    await page.reload();
    await expect(page.locator('main h2')).toBeFocused();
    await expectClean();
    await openPage(page, 'new-password', `${culture}#no-such-link`);
    await expect(page.locator('main h2')).toBeFocused();
    await expectClean();
    await context.close();
  });
