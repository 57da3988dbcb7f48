import type { Product } from '@anteroom/testkit';
import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Page } from '@playwright/test';
import { readMessages, receiveMessage } from '../fixtures/mails.ts';
import { signInAtPortal } from '../fixtures/sign-in-at-portal.ts';
import { expect, test } from '../fixtures/test.ts';
import { typeCode } from '../fixtures/type-code.ts';
import { words } from '../fixtures/words.ts';

declare global {
  interface Window {
    /** Reports a change of the card's theme. */
    noteTheme?: (theme: string | null) => void;
  }
}

let product: Product;
test.beforeEach(({ product: started }) => {
  product = started;
});

const directorsPhone = '+442079460142';
const newPassword = 'seven lanterns over the river';
const passwordField = words('passwordChange.newPassword');
const confirmationField = words('passwordChange.newPasswordConfirmation');

async function goToSiteEntry(page: Page): Promise<void> {
  await page.goto(product.demo.url);
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
  await page.goto(`${product.identity.url}/ui/recovery/${name}?skip_splash&refererClientId=director${query}`);
  await expect(page.locator(`main[data-step="${name}"]`)).toBeVisible();
}

/** Requests a link on the open page and returns its address. */
async function requestLink(page: Page, userName: string): Promise<string> {
  const before = (await readMessages(product, userName)).length;
  await page.getByRole('textbox', { name: words('login.userName') }).fill(userName);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: words('recovery.password.sentHeading') })).toBeFocused();
  const { links } = await receiveMessage(product, userName, before);
  if (!links[0]) throw new Error('The message has no link');
  return links[0];
}

async function typeNewPassword(page: Page, password: string): Promise<void> {
  await expect(page.getByLabel(passwordField, { exact: true })).toBeFocused();
  await page.keyboard.type(password);
  // past the button that shows the password
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel(confirmationField, { exact: true })).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

/**
 * Enters two passwords. Expects that the policy lines show which are met, and that a refusal marks its line and shows
 * one message.
 */
async function expectAdvice(
  page: Page,
  { isMet, isRefused, line }: { isMet: string; isRefused: string; line: string },
): Promise<void> {
  const field = page.getByLabel(passwordField, { exact: true });
  const confirmation = page.getByLabel(confirmationField, { exact: true });
  const minimum = page.locator('[data-policy-line="minimumLength"]');
  await expect(minimum).not.toHaveAttribute('data-met');
  await field.fill('short');
  await expect(minimum).toHaveAttribute('data-met', 'false');
  await field.fill(isMet);
  await expect(minimum).toHaveAttribute('data-met', 'true');
  await field.fill(isRefused);
  await confirmation.fill(isRefused);
  await page.locator('main button[type="submit"]').click();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(page.locator(`[data-policy-line="${line}"]`)).toHaveAttribute('data-met', 'false');
  await expect(minimum).not.toHaveAttribute('data-met');
  await expect(page.locator('main [role="alert"]').filter({ hasText: /\S/ })).toHaveCount(1);
  for (const emptied of [field, confirmation]) await expect(emptied).toHaveValue('');
}

test('the policy lines advise a user during a required and a voluntary password change; a reload stays there, and going offline keeps the input [2.45]', async ({
  page,
  noise,
}) => {
  const current = page.getByLabel(words('passwordChange.currentPassword'), { exact: true });
  const fields = [
    current,
    page.getByLabel(passwordField, { exact: true }),
    page.getByLabel(confirmationField, { exact: true }),
  ];
  const fill = async (values: readonly string[]): Promise<void> => {
    for (const [index, field] of fields.entries()) await field.fill(values[index] ?? '');
  };
  const submit = page.locator('main button[type="submit"]');
  const themes: (string | null)[] = [];
  const chosen = 'four herons by the weir';

  await signInAtPortal(page, product, { userName: demoUsers.newcomer });
  await page.locator('main[data-step="password-reset-required"]').waitFor();
  await page.reload();
  await page.locator('main[data-step="password-reset-required"]').waitFor();
  await current.fill(demoPassword);
  await expectAdvice(page, { isMet: chosen, isRefused: demoPassword, line: 'notReused' });
  await expect(current).toBeFocused();
  const values = [demoPassword, chosen, chosen];
  await fill(values);
  await page.context().setOffline(true);
  await submit.click();
  await expect(page.locator('[data-notification="error"]')).toContainText(words('error.serverUnreachable'));
  for (const [index, field] of fields.entries()) await expect(field).toHaveValue(values[index] ?? '');
  await page.context().setOffline(false);
  noise.length = 0;
  await submit.click();
  await expectClaims(page, demoUsers.newcomer);

  await page.locator('[data-action="change-password"]').click();
  await page.locator('main[data-step="password-reset-voluntary"]').waitFor();
  await current.fill(chosen);
  // a password that is long enough without the site's name can contain it
  const withSite = 'quiet harbor evening 91';
  await expectAdvice(page, {
    isMet: withSite,
    isRefused: 'harbor-harbor trust',
    line: 'notContainsSiteName',
  });
  await fill([chosen, withSite, withSite]);
  await page.exposeFunction('noteTheme', (theme: string | null) => themes.push(theme));
  await page.evaluate(() => {
    const card = document.querySelector('[data-card]');
    new MutationObserver(() => window.noteTheme?.(card?.getAttribute('data-theme') ?? null)).observe(
      document,
      {
        attributeFilter: ['data-theme'],
        subtree: true,
      },
    );
  });
  await submit.click();
  await expectClaims(page, demoUsers.newcomer);
  // the page keeps its theme until the browser has left it
  expect(themes).toEqual([]);
});

async function expectClaims(page: Page, email: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`^${product.demo.url}/`));
  await expect(page.locator('[data-claim="email"]')).toHaveText(email);
}

test('a keyboard user who has forgotten the password sets a new password with the e-mailed link and continues the sign-in', async ({
  page,
}) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await goToCredentials(page, 'harbor');
  await page.keyboard.type(demoUsers.secretary);
  await page.getByRole('link', { name: words('login.forgotCredentials') }).focus();
  await page.keyboard.press('Enter');
  await page.locator('main[data-step="forgotten-password"]').waitFor();
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  await expect(userName).toBeFocused();
  await expect(userName).toHaveValue(demoUsers.secretary);
  expect(addresses.filter((address) => /secretary/.test(address))).toEqual([]);
  const link = await requestLink(page, demoUsers.secretary);
  await expect(page.locator('main [data-user-name]')).toHaveText(demoUsers.secretary);

  await page.goto(link);
  await expect(page.getByLabel(words('recovery.newPassword.account'))).toHaveValue(demoUsers.secretary);
  await typeNewPassword(page, newPassword);
  await expect(page.getByRole('heading', { name: words('recovery.newPassword.savedHeading') })).toBeFocused();
  await expect(page).toHaveTitle(new RegExp(`^${words('recovery.newPassword.savedHeading')}`));

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: words('login.signIn'), exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.locator('main[data-step="credentials"]').waitFor();
  await expect(userName).toBeFocused();
  await expect(userName).toHaveValue(demoUsers.secretary);
  expect(addresses.filter((address) => /secretary/.test(address))).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.type(newPassword);
  await page.keyboard.press('Enter');
  await expectClaims(page, demoUsers.secretary);

  const [notice] = await readMessages(product, demoUsers.secretary);
  expect(notice?.subject).toBe('Your password was changed');
});

test('the page removes the token of the link from the address, storage and document', async ({ page }) => {
  await openPage(page, 'forgotten-password');
  const link = await requestLink(page, demoUsers.newcomer);
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
  // opens the same link again in the same tab
  await page.goto(link);
  await expect(page.getByLabel(passwordField, { exact: true })).toBeFocused();
});

test('a director sets a new password on another device, and the next sign-in requires the code', async ({
  page,
  browser,
}) => {
  await openPage(page, 'forgotten-password');
  const link = await requestLink(page, demoUsers.director);

  const phone = await browser.newContext({ viewport: { width: 390, height: 800 }, reducedMotion: 'reduce' });
  const onPhone = await phone.newPage();
  await onPhone.goto(link);
  await expectAdvice(onPhone, { isMet: newPassword, isRefused: 'christopher12345', line: 'notCommon' });
  await typeNewPassword(onPhone, newPassword);
  await onPhone.getByRole('link', { name: words('login.signIn'), exact: true }).click();
  await expect(onPhone).toHaveURL(`${product.demo.url}/`);
  await phone.close();

  await goToCredentials(page, 'northwind');
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoUsers.director);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toContainText(words('login.errors.invalidCredentials'));

  const before = (await readMessages(product, directorsPhone)).length;
  await page.getByLabel(words('login.password'), { exact: true }).fill(newPassword);
  await page.keyboard.press('Enter');
  await expect(page.locator('main[data-step="second-factor-required"]')).toBeVisible();
  const { code = '' } = await receiveMessage(product, directorsPhone, before);
  await typeCode(page, code);
  await page.keyboard.press('Enter');
  await expectClaims(page, demoUsers.director);
});

test('a link works once, and a page with an expired link can request a new link', async ({ page }) => {
  await openPage(page, 'forgotten-password');
  const link = await requestLink(page, demoUsers.newcomer);
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
    `${product.demo.url}/`,
  );
});

test('“This wasn’t me” in an e-mail about a changed password ends other sessions and sets a new password, once', async ({
  page,
  browser,
  noise,
}) => {
  await openPage(page, 'forgotten-password');
  await page.goto(await requestLink(page, demoUsers.secretary));
  await typeNewPassword(page, 'a password that an intruder chose');
  await expect(page.getByRole('heading', { name: words('recovery.newPassword.savedHeading') })).toBeFocused();

  const intruders = await browser.newContext({ reducedMotion: 'reduce' });
  const intruder = await intruders.newPage();
  await goToCredentials(intruder, 'harbor');
  await intruder.keyboard.type(demoUsers.secretary);
  await intruder
    .getByLabel(words('login.password'), { exact: true })
    .fill('a password that an intruder chose');
  await intruder.keyboard.press('Enter');
  await expectClaims(intruder, demoUsers.secretary);

  // the e-mail shows account, time and browser; its button opens a page, which acts only after a confirmation
  await page.goto(`${product.identity.url}/dev/outbox`);
  await page.getByRole('link', { name: 'As mail programs show it' }).first().click();
  await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
  await expect(page.locator('body')).toContainText('Chrome (Linux)');
  await expect(page.locator('body')).toContainText(demoUsers.secretary);
  // the e-mail has no favicon
  noise.splice(0, noise.length, ...noise.filter((line) => !line.includes('/favicon.ico')));
  const refusalLink = (await page.getByRole('link', { name: 'This wasn’t me' }).getAttribute('href')) ?? '';
  await page.goto(refusalLink);
  await expect(page.getByRole('heading', { name: words('recovery.notMe.heading') })).toBeFocused();
  expect(page.url()).not.toContain('#');

  const before = (await readMessages(product, demoUsers.secretary)).length;
  await page.getByRole('button', { name: words('recovery.notMe.act') }).click();
  await expect(page.getByRole('heading', { name: words('recovery.password.sentHeading') })).toBeFocused();
  await intruder.getByRole('link', { name: 'Switch board' }).click();
  await expect(intruder.locator('main[data-step="credentials"]')).toBeVisible();
  await intruders.close();

  const { links } = await receiveMessage(product, demoUsers.secretary, before);
  await page.goto(links[0] ?? '');
  await typeNewPassword(page, 'a password after the intruder was gone');
  await expect(page.getByRole('heading', { name: words('recovery.newPassword.savedHeading') })).toBeFocused();

  await page.goto(refusalLink);
  await page.getByRole('button', { name: words('recovery.notMe.act') }).click();
  await expect(
    page.getByRole('heading', { name: words('recovery.newPassword.linkExpiredHeading') }),
  ).toBeFocused();
  await expect(page.locator('main')).toContainText(words('recovery.notMe.linkOver'));
});
