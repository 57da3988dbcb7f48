import { resendWaitSeconds } from '@anteroom/contract';
import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { findViolations } from '../../fixtures/accessibility.ts';
import { readMessages } from '../../fixtures/mails.ts';
import { signInAtPortal } from '../../fixtures/sign-in-at-portal.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

// The messages of the code page agree with the messages that the service has sent.

const directorsPhone = '+442079460142';

const sentTo = words('secondFactor.sentTo', { suffix: 42 });
const credentials = 'main[data-step="credentials"]';

/** Signs in up to the code in a new browser, whose clock the journey controls. */
async function askForCode(
  page: Page,
  product: Product,
  userName: string = demoUsers.director,
): Promise<void> {
  await page.clock.install();
  await signInAtPortal(page, product, { userName });
  await page.locator('main[data-step="second-factor-required"]').waitFor();
}

/** Advances the clock of the service, then that of the page. */
async function pass(page: Page, { clock }: Product, seconds: number): Promise<void> {
  clock.advanceSeconds(seconds);
  await page.clock.runFor(seconds * 1000);
}

async function readCode(product: Product): Promise<string> {
  const [newest] = await readMessages(product, directorsPhone);
  return newest?.code ?? '';
}

const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

async function enterCode(page: Page, code: string): Promise<void> {
  await page.locator('input[name="code-1"]').click();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}

/** The seconds of the countdown in the text of this key. */
async function readCountdown(page: Page, key: string): Promise<number> {
  const [before = '', after = ''] = words(`${key}.other`, { count: '#' }).split('#');
  const shown = page.getByText(new RegExp(`^${before}\\d+${after}$`));
  return Number(/\d+/.exec((await shown.textContent()) ?? '')?.[0]);
}

async function openOtherBrowser(browser: Browser, use: (context: BrowserContext) => Promise<void>) {
  const context = await browser.newContext();
  await use(context);
  await context.close();
}

test('a second sign-in during the resend wait explains that the code was for the first sign-in, and then gets a code automatically [2.56]', async ({
  page,
  browser,
  product,
}) => {
  await askForCode(page, product);
  await expect(page.getByText(sentTo)).toBeVisible();
  const first = await readCode(product);
  const sent = (await readMessages(product, directorsPhone)).length;
  await expect(page.locator('[data-action="resend-code"]')).toHaveCount(0);
  expect(await readCountdown(page, 'secondFactor.resendIn')).toBeGreaterThan(resendWaitSeconds - 10);

  await openOtherBrowser(browser, async (context) => {
    const second = await context.newPage();
    product.clock.advanceSeconds(10);
    await askForCode(second, product);
    await expect(second.getByText(words('secondFactor.otherSignIn', { suffix: 42 }))).toBeVisible();
    await expect(second.getByText(sentTo)).toHaveCount(0);
    await expect(second.locator('[data-action="resend-code"]')).toHaveCount(0);
    const wait = await readCountdown(second, 'secondFactor.sendIn');
    expect(wait).toBeGreaterThan(resendWaitSeconds - 25);
    expect(wait).toBeLessThanOrEqual(resendWaitSeconds - 10);
    expect(await findViolations(second)).toEqual([]);

    await enterCode(second, first);
    await expect(second.getByText(words('mfa.errors.checkCode'))).toBeVisible();

    await pass(second, product, wait);
    await expect(second.getByText(sentTo)).toBeVisible();
    expect(await readMessages(product, directorsPhone)).toHaveLength(sent + 1);
    // the confirmation takes the place of the message about the wrong code
    const code = await readCode(product);
    await second.keyboard.type(code.slice(0, 1));
    await expect(second.getByText(words('secondFactor.resent'))).toBeVisible();
    await second.keyboard.type(code.slice(1));
    await second.keyboard.press('Enter');
    await expect(second.locator('[data-claim="email"]')).toHaveText(demoUsers.director);
  });

  // three digits are not submitted, and they stay in the boxes
  await enterCode(page, first.slice(0, 3));
  await expect(page.locator('input[name="code-4"]')).toBeFocused();
  await expect(page.locator('input[name="code-4"]')).toHaveAccessibleDescription(
    new RegExp(`${words('mfa.errors.codeIncomplete')}$`),
  );
  await page.keyboard.type(first.slice(3));
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.director);
});

test('a page in the background requests no code automatically; the visitor can request a code, and another code after Retry-After [7.6]', async ({
  page,
  browser,
  product,
}) => {
  await openOtherBrowser(browser, async (context) => askForCode(await context.newPage(), product));
  const sent = (await readMessages(product, directorsPhone)).length;
  await askForCode(page, product);
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }));
  await pass(page, product, await readCountdown(page, 'secondFactor.sendIn'));
  await expect(page.getByRole('button', { name: words('secondFactor.send'), exact: true })).toBeVisible();
  expect(await readMessages(product, directorsPhone)).toHaveLength(sent);
  const resend = page.locator('[data-action="resend-code"]');
  const answered = page.waitForResponse('**/api/ui/resend-mfa-code');
  await resend.click();
  await expect(page.getByText(sentTo)).toBeVisible();

  // the action is hidden for the time of Retry-After, then works
  const seconds = Number((await answered).headers()['retry-after']);
  await expect(resend).toHaveCount(0);
  expect(await readCountdown(page, 'secondFactor.resendIn')).toBeLessThanOrEqual(seconds);
  await pass(page, product, seconds);
  // below a message, a press near the lower edge of the button works too
  await enterCode(page, otherThan(await readCode(product)));
  await expect(page.getByText(words('mfa.errors.checkCode'))).toBeVisible();
  const before = (await readMessages(product, directorsPhone)).length;
  await resend.click({ position: { x: 8, y: 41 } });
  await expect.poll(async () => (await readMessages(product, directorsPhone)).length).toBe(before + 1);
  await enterCode(page, await readCode(product));
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.director);
});

test('too many wrong codes in one tab invalidate the code in another tab, which requests a new code [4.24]', async ({
  page,
  product,
}) => {
  await askForCode(page, product);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('textbox', { name: words('login.userName') }).fill(demoUsers.director);
  await other.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await other.getByRole('button', { name: words('login.signIn'), exact: true }).click();
  await expect(other.getByText(sentTo)).toBeVisible();
  const wrong = otherThan(await readCode(product));
  for (let tries = 1; tries <= 5; tries += 1) {
    await enterCode(other, wrong);
    if (tries < 5) await expect(other.getByText(words('mfa.errors.checkCode'))).toBeVisible();
  }
  const limit = words('mfa.errors.verificationLimitHit');
  await expect(other.locator('[data-notification="error"]')).toContainText(limit);

  await pass(page, product, await readCountdown(page, 'secondFactor.resendIn'));
  await page.locator('[data-action="resend-code"]').click();
  await expect(page.locator('[data-notification="error"]')).toContainText(limit);
  await page.locator('[data-action="dismiss"]').click();
  // the banner takes the place of the card's margin
  await pass(page, product, 10);
  await expect(page.locator(`${credentials} [data-banner="error"]`)).toHaveText(limit);
});

test('a reload, or Back and Forward, continues at the code with the same message; the same address opened anew asks for the password [F15]', async ({
  page,
  context,
  product,
}) => {
  await askForCode(page, product);
  const sent = (await readMessages(product, directorsPhone)).length;
  const address = page.url();
  await page.locator('input[name="code-1"]').fill('1');
  const leaveAndReturn = [
    () => page.reload(),
    async () => {
      await page.goto(product.demo.url);
      await page.goBack();
    },
  ];
  for (const goOn of leaveAndReturn) {
    await goOn();
    await expect(page.getByText(sentTo)).toBeVisible();
    await expect(page.getByText(`${words('login.signedInAs')} ${demoUsers.director}`)).toBeVisible();
    await expect(page.locator('input[name="code-1"]')).toHaveValue('');
    await expect(page.locator('input[name="code-1"]')).toBeFocused();
    expect(await readCountdown(page, 'secondFactor.resendIn')).toBeGreaterThan(resendWaitSeconds - 20);
  }
  const anew = await context.newPage();
  await anew.goto(address);
  await anew.locator(credentials).waitFor();
  await anew.close();
  expect(await readMessages(product, directorsPhone)).toHaveLength(sent);

  await page.evaluate(() =>
    addEventListener('pagehide', () => sessionStorage.setItem('left', JSON.stringify(history.state))),
  );
  await enterCode(page, await readCode(product));
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.director);
  await page.goto(`${product.identity.url}/ui/config.json`);
  expect(await page.evaluate(() => sessionStorage.getItem('left'))).toBe('null');
});

test('a visitor who finds another user’s sign-in at the code starts again with the same return address', async ({
  page,
  product,
}) => {
  await askForCode(page, product);
  const account = page.getByText(`${words('login.signedInAs')} ${demoUsers.director}`);
  await expect(account).toBeVisible();
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  await expect(page.getByText(words('secondFactor.noPhone'))).toBeVisible();
  const address = page.url();
  await page.getByRole('button', { name: words('secondFactor.notYou') }).click();
  await expect(page.locator(credentials)).toBeVisible();
  await expect(userName).toHaveValue('');
  expect(page.url()).toBe(address);

  // after a reload the page does not reveal the user whose password was entered here
  await page.reload();
  await expect(userName).toHaveValue('');
  await expect(page.getByText(demoUsers.director)).toHaveCount(0);
  await userName.fill(demoUsers.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn'), exact: true }).click();
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
});
