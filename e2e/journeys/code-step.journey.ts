import { demoPassword, demoPeople } from '@anteroom/testkit/demo-people';
import type { Product } from '@anteroom/testkit';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { findViolations } from '../fixtures/accessibility.ts';
import { readMessages } from '../fixtures/mails.ts';
import { signInAtPortal } from '../fixtures/sign-in-at-portal.ts';
import { words } from '../fixtures/words.ts';
import { expect, test } from '../fixtures/product-test.ts';

// Where the code stands between the service that sends it and the page that speaks of it: what the page says is what has happened.

const directorsPhone = '+442079460142';
const aDay = 24 * 60 * 60;

test.beforeEach(({ product }) => {
  // no journey of before has used up the messages of the day
  product.clock.advanceSeconds(aDay);
});

const sentTo = words('mfa.sentTo', { suffix: 42 });
const credentials = 'main[data-step="credentials"]';

/** Goes on to the code in a browser of its own, whose clock the journey moves. */
async function askForCode(
  page: Page,
  product: Product,
  userName: string = demoPeople.director,
): Promise<void> {
  await page.clock.install();
  await signInAtPortal(page, product, { userName });
  await page.locator('main[data-step="second-factor-required"]').waitFor();
}

/** Time passes for the service, and then for the page. */
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

/** The seconds that the page counts, as the text of this key says them. */
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

test('somebody who signs in twice within half a minute is told that the code was for the other sign-in, waits, gets one without asking, and arrives', async ({
  page,
  browser,
  product,
}) => {
  await askForCode(page, product);
  await expect(page.getByText(sentTo)).toBeVisible();
  const first = await readCode(product);
  const sent = (await readMessages(product, directorsPhone)).length;
  await expect(page.locator('[data-action="resend-code"]')).toHaveCount(0);
  expect(await readCountdown(page, 'mfa.resendIn')).toBeGreaterThan(20);

  await openOtherBrowser(browser, async (context) => {
    const second = await context.newPage();
    product.clock.advanceSeconds(10);
    await askForCode(second, product);
    await expect(second.getByText(words('mfa.otherSignIn', { suffix: 42 }))).toBeVisible();
    await expect(second.getByText(sentTo)).toHaveCount(0);
    await expect(second.locator('[data-action="resend-code"]')).toHaveCount(0);
    const wait = await readCountdown(second, 'mfa.sendIn');
    expect(wait).toBeGreaterThan(5);
    expect(wait).toBeLessThanOrEqual(20);
    expect(await findViolations(second)).toEqual([]);

    await enterCode(second, first);
    await expect(second.getByText(words('mfa.errors.checkCode'))).toBeVisible();

    await pass(second, product, wait);
    await expect(second.getByText(sentTo)).toBeVisible();
    await expect(second.getByText(words('mfa.resent'))).toBeAttached();
    expect(await readMessages(product, directorsPhone)).toHaveLength(sent + 1);
    expect(await readCountdown(second, 'mfa.resendIn')).toBeGreaterThan(20);
    await enterCode(second, await readCode(product));
    await expect(second.locator('[data-claim="email"]')).toHaveText(demoPeople.director);
  });

  // three digits are not sent, and none of them has to be typed again
  await enterCode(page, first.slice(0, 3));
  await expect(page.locator('input[name="code-4"]')).toBeFocused();
  await expect(page.locator('input[name="code-4"]')).toHaveAccessibleDescription(
    new RegExp(`${words('mfa.errors.codeIncomplete')}$`),
  );
  await page.keyboard.type(first.slice(3));
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoPeople.director);
});

test('a page that nobody looks at asks for no code; somebody who comes back to it asks for one, and for another when the answer allows it', async ({
  page,
  browser,
  product,
}) => {
  await openOtherBrowser(browser, async (context) => askForCode(await context.newPage(), product));
  const sent = (await readMessages(product, directorsPhone)).length;
  await askForCode(page, product);
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }));
  await pass(page, product, await readCountdown(page, 'mfa.sendIn'));
  await expect(page.getByRole('button', { name: words('mfa.send'), exact: true })).toBeVisible();
  expect(await readMessages(product, directorsPhone)).toHaveLength(sent);
  const resend = page.locator('[data-action="resend-code"]');
  const answered = page.waitForResponse('**/api/ui/resend-mfa-code');
  await resend.click();
  await expect(page.getByText(sentTo)).toBeVisible();

  // the action is gone for as long as the answer says, and then works
  const seconds = Number((await answered).headers()['retry-after']);
  await expect(resend).toHaveCount(0);
  expect(await readCountdown(page, 'mfa.resendIn')).toBeLessThanOrEqual(seconds);
  await pass(page, product, seconds);
  const before = (await readMessages(product, directorsPhone)).length;
  await resend.click();
  await expect.poll(async () => (await readMessages(product, directorsPhone)).length).toBe(before + 1);
  await enterCode(page, await readCode(product));
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoPeople.director);
});

test('a code that was tried too often in one tab ends the step in the other, which asks for a new one', async ({
  page,
  product,
}) => {
  await askForCode(page, product);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('textbox', { name: words('login.userName') }).fill(demoPeople.director);
  await other.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await other.getByRole('button', { name: words('login.signIn') }).click();
  await expect(other.getByText(sentTo)).toBeVisible();
  const wrong = otherThan(await readCode(product));
  for (let tries = 1; tries <= 5; tries += 1) {
    await enterCode(other, wrong);
    if (tries < 5) await expect(other.getByText(words('mfa.errors.checkCode'))).toBeVisible();
  }
  const limit = words('mfa.errors.verificationLimitHit');
  await expect(other.locator('[data-notification="error"]')).toContainText(limit);

  await pass(page, product, await readCountdown(page, 'mfa.resendIn'));
  await page.locator('[data-action="resend-code"]').click();
  await expect(page.locator('[data-notification="error"]')).toContainText(limit);
  await expect(page.locator(`${credentials} [data-banner="error"]`)).toHaveText(limit);
});

test('somebody who finds another person’s sign-in at the code begins again at the same return address, and arrives as themselves', async ({
  page,
  product,
}) => {
  await askForCode(page, product);
  const account = page.getByText(`${words('login.signedInAs')} ${demoPeople.director}`);
  await expect(account).toBeVisible();
  await expect(page.getByRole('link', { name: words('mfa.noPhone').split('? ')[1] ?? '' })).toHaveAttribute(
    'href',
    `${product.demo.url}/support`,
  );
  const address = page.url();
  await page.getByRole('button', { name: words('mfa.notYou') }).click();
  await expect(page.locator(credentials)).toBeVisible();
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  await expect(userName).toHaveValue('');
  expect(page.url()).toBe(address);

  // after a reload nothing is said of the person whose password was given here
  await page.reload();
  await expect(userName).toHaveValue('');
  await expect(page.getByText(demoPeople.director)).toHaveCount(0);
  await userName.fill(demoPeople.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn') }).click();
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoPeople.secretary);
});
