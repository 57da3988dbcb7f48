import { startTestProduct } from '@anteroom/testkit';
import type { Product } from '@anteroom/testkit';
import { demoPassword, demoPeople } from '@anteroom/testkit/demo-people';
import type { Page } from '@playwright/test';
import { findViolations } from '../fixtures/accessibility.ts';
import { languages, openLook } from '../fixtures/look.ts';
import { readMessages, receiveMessage } from '../fixtures/mails.ts';
import { listenForNoise } from '../fixtures/noise.ts';
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

// These journeys change passwords, so they have a separate product and run one after the other.
test.describe.configure({ mode: 'default' });
let product: Product;
test.beforeAll(async () => {
  product = await startTestProduct();
});
test.afterAll(async () => product.close());
test.afterEach(() => {
  // resets the rate limits and lets the links of this journey expire
  product.clock.advanceSeconds(2 * 60 * 60);
});

const directorsPhone = '+442079460142';
const newPassword = 'seven lanterns over the river';
const passwordField = words('resetPassword.newPassword');
const confirmationField = words('resetPassword.newPasswordConfirmation');

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

test('the policy lines advise a user during a required and a voluntary password change; going offline keeps the input', async ({
  page,
  noise,
}) => {
  const current = page.getByLabel(words('resetPassword.currentPassword'), { exact: true });
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

  await signInAtPortal(page, product, { userName: demoPeople.newcomer });
  await page.locator('main[data-step="password-reset-required"]').waitFor();
  await current.fill(demoPassword);
  await expectAdvice(page, { isMet: chosen, isRefused: demoPassword, line: 'notReused' });
  await expect(current).toBeFocused();
  const values = [demoPassword, chosen, chosen];
  await fill(values);
  await page.context().setOffline(true);
  await submit.click();
  await expect(page.locator('main [data-banner="error"]')).toHaveText(words('error.serverUnreachable'));
  for (const [index, field] of fields.entries()) await expect(field).toHaveValue(values[index] ?? '');
  await page.context().setOffline(false);
  noise.length = 0;
  await submit.click();
  await expectClaims(page, demoPeople.newcomer);

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
  await expectClaims(page, demoPeople.newcomer);
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
  await page.keyboard.type(demoPeople.secretary);
  await page.getByRole('link', { name: words('login.forgotCredentials') }).focus();
  await page.keyboard.press('Enter');
  await page.locator('main[data-step="forgotten-password"]').waitFor();
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  await expect(userName).toBeFocused();
  await expect(userName).toHaveValue(demoPeople.secretary);
  expect(addresses.filter((address) => /secretary/.test(address))).toEqual([]);
  const link = await requestLink(page, demoPeople.secretary);

  await page.goto(link);
  await expect(page.getByLabel(words('recovery.newPassword.account'))).toHaveValue(demoPeople.secretary);
  await typeNewPassword(page, newPassword);
  await expect(page.getByRole('heading', { name: words('recovery.newPassword.savedHeading') })).toBeFocused();
  await expect(page).toHaveTitle(new RegExp(`^${words('recovery.newPassword.savedHeading')}`));

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: words('login.signIn'), exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toBeFocused();
  await page.keyboard.type(demoPeople.secretary);
  await page.keyboard.press('Tab');
  await page.keyboard.type(newPassword);
  await page.keyboard.press('Enter');
  await expectClaims(page, demoPeople.secretary);

  const [notice] = await readMessages(product, demoPeople.secretary);
  expect(notice?.subject).toBe('Your password was changed');
});

test('the page removes the token of the link from the address, storage and document', async ({ page }) => {
  await openPage(page, 'forgotten-password');
  const link = await requestLink(page, demoPeople.newcomer);
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

test('after a completed password change the next step is the choice of a board, without the theme, also after a reload', async ({
  page,
}) => {
  const before = (await readMessages(product, directorsPhone)).length;
  await signInAtPortal(page, product, { userName: demoPeople.director });
  const { code = '' } = await receiveMessage(product, directorsPhone, before);
  await typeCode(page, code);
  await page.keyboard.press('Enter');
  await expectClaims(page, demoPeople.director);
  await page.locator('[data-action="change-password"]').click();
  const card = page.locator('[data-card]');
  await expect(page.locator('main[data-step="password-reset-voluntary"]')).toBeVisible();
  await expect(card).toHaveAttribute('data-theme', 'external-access');

  // revokes the director's access to the session's board while the page is open
  const access = { userName: demoPeople.director, site: 'harbor' };
  await product.setEntitlement({ ...access, isMet: false });
  await page.getByLabel(words('resetPassword.currentPassword'), { exact: true }).fill(demoPassword);
  const chosen = 'two otters under the bridge';
  await page.getByLabel(passwordField, { exact: true }).fill(chosen);
  await page.getByLabel(confirmationField, { exact: true }).fill(chosen);
  await page.locator('main button[type="submit"]').click();
  await expect(page.locator('main[data-step="select-site"]')).toBeVisible();
  await expect(card).not.toHaveAttribute('data-theme');
  await page.reload();
  await expect(page.locator('main[data-step="select-site"]')).toBeVisible();
  await expect(card).not.toHaveAttribute('data-theme');
  await product.setEntitlement({ ...access, isMet: true });
  await page.locator('[data-site="northwind-audit"]').getByRole('button').first().click();
  await expectClaims(page, demoPeople.director);
  await expect(page.locator('[data-claim="site"]')).toHaveText('northwind-audit');
});

test('a director sets a new password on another device, and the next sign-in requires the code', async ({
  page,
  browser,
}) => {
  await openPage(page, 'forgotten-password');
  const link = await requestLink(page, demoPeople.director);

  const phone = await browser.newContext({ viewport: { width: 390, height: 800 }, reducedMotion: 'reduce' });
  const onPhone = await phone.newPage();
  await onPhone.goto(link);
  await expectAdvice(onPhone, { isMet: newPassword, isRefused: 'christopher12345', line: 'notCommon' });
  await typeNewPassword(onPhone, newPassword);
  await onPhone.getByRole('link', { name: words('login.signIn'), exact: true }).click();
  await expect(onPhone).toHaveURL(`${product.demo.url}/`);
  await phone.close();

  await goToCredentials(page, 'northwind');
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoPeople.director);
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
  await expectClaims(page, demoPeople.director);
});

test('a link works once, and a page with an expired link can request a new link', async ({ page }) => {
  await openPage(page, 'forgotten-password');
  const link = await requestLink(page, demoPeople.newcomer);
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
  await page.goto(await requestLink(page, demoPeople.secretary));
  await typeNewPassword(page, 'a password that an intruder chose');
  await expect(page.getByRole('heading', { name: words('recovery.newPassword.savedHeading') })).toBeFocused();

  const intruders = await browser.newContext({ reducedMotion: 'reduce' });
  const intruder = await intruders.newPage();
  await goToCredentials(intruder, 'harbor');
  await intruder.keyboard.type(demoPeople.secretary);
  await intruder
    .getByLabel(words('login.password'), { exact: true })
    .fill('a password that an intruder chose');
  await intruder.keyboard.press('Enter');
  await expectClaims(intruder, demoPeople.secretary);

  // the e-mail shows account, time and browser; its button opens a page, which acts only after a confirmation
  await page.goto(`${product.identity.url}/dev/outbox`);
  await page.getByRole('link', { name: 'As mail programs show it' }).first().click();
  await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
  await expect(page.locator('body')).toContainText('Chrome (Linux)');
  await expect(page.locator('body')).toContainText(demoPeople.secretary);
  expect(await findViolations(page)).toEqual([]);
  // the e-mail has no favicon
  noise.splice(0, noise.length, ...noise.filter((line) => !line.includes('/favicon.ico')));
  const refusalLink = (await page.getByRole('link', { name: 'This wasn’t me' }).getAttribute('href')) ?? '';
  await page.goto(refusalLink);
  await expect(page.getByRole('heading', { name: words('recovery.notMe.heading') })).toBeFocused();
  expect(page.url()).not.toContain('#');

  const before = (await readMessages(product, demoPeople.secretary)).length;
  await page.getByRole('button', { name: words('recovery.notMe.act') }).click();
  await expect(page.getByRole('heading', { name: words('recovery.password.sentHeading') })).toBeFocused();
  await intruder.getByRole('link', { name: 'Switch board' }).click();
  await expect(intruder.locator('main[data-step="credentials"]')).toBeVisible();
  await intruders.close();

  const { links } = await receiveMessage(product, demoPeople.secretary, before);
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

test('an unknown user name shows the same page and sends no e-mail', async ({ page }) => {
  const seenFor = async (userName: string): Promise<string> => {
    await openPage(page, 'forgotten-password');
    await page.getByRole('textbox', { name: words('login.userName') }).fill(userName);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: words('recovery.password.sentHeading') })).toBeFocused();
    return page.locator('main').innerHTML();
  };
  const before = (await readMessages(product, demoPeople.secretary)).length;
  expect(await seenFor('nobody@demo.example')).toBe(await seenFor(demoPeople.secretary));
  await receiveMessage(product, demoPeople.secretary, before);
  expect(await readMessages(product, 'nobody@demo.example')).toEqual([]);
});

test('a visitor who has forgotten the site gets its name by e-mail and enters it', async ({ page }) => {
  await goToSiteEntry(page);
  await page.getByRole('link', { name: words('site.forgotSite') }).click();
  await expect(page.getByRole('textbox', { name: words('recovery.site.email') })).toBeFocused();
  await page.keyboard.type('not an e-mail');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: words('recovery.site.email') })).toHaveAccessibleDescription(
    words('recovery.site.emailInvalid'),
  );
  const before = (await readMessages(product, demoPeople.secretary)).length;
  await page.getByRole('textbox', { name: words('recovery.site.email') }).fill(demoPeople.secretary);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: words('recovery.site.sentHeading') })).toBeFocused();
  const { text } = await receiveMessage(product, demoPeople.secretary, before);
  expect(text).toContain('Harbor Trust (harbor)');

  await page.getByRole('link', { name: words('recovery.backToSignIn') }).click();
  await expect(page.getByRole('textbox', { name: words('site.label') })).toBeFocused();
  await page.keyboard.type('harbor');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: words('login.userName') })).toBeFocused();
});

for (const language of languages)
  test(`every recovery page is accessible in light and dark colours (${language})`, async ({
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
    const before = (await readMessages(product, demoPeople.secretary)).length;
    await page.locator('input[name="userName"]').fill(demoPeople.secretary);
    await submit();
    await expect(page.locator('main h2')).toBeFocused();
    await expectClean();

    const { links } = await receiveMessage(product, demoPeople.secretary, before);
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
