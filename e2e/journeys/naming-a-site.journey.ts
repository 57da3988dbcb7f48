import { demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { readMessages, receiveMessage } from '../fixtures/mails.ts';
import { expect, test } from '../fixtures/test.ts';
import { enterCredentials } from '../fixtures/sign-in-at-portal.ts';
import { words } from '../fixtures/words.ts';

/** Opens site entry from the demo portal. */
async function startAtPortal(page: Page, product: Product): Promise<void> {
  await page.goto(product.demo.url);
  await page.getByRole('link', { name: 'Sign in' }).click();
}

async function enterSite(page: Page, typed: string): Promise<void> {
  await page.getByRole('textbox', { name: words('site.label') }).fill(typed);
  await page.getByRole('button', { name: words('common.continue') }).click();
}

/** Expects the header of Harbor Trust with its logo. */
async function expectHarbor(page: Page): Promise<void> {
  const header = page.locator('[data-site-header]');
  await expect(header).toContainText('Harbor Trust');
  await expect
    .poll(async () => header.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expect(page.getByRole('heading', { name: 'Sign in to Harbor Trust' })).toBeVisible();
}

async function signIn(page: Page, product: Product): Promise<void> {
  await enterCredentials(page);
  await expect(page).toHaveURL(new RegExp(`^${product.demo.url}/`));
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
}

test('a visitor enters the organisation’s familiar name, sees its header, and later sign-ins use the name of the site', async ({
  page,
  product,
}) => {
  await startAtPortal(page, product);
  for (const typed of ['HARBOR', 'https://harbor.example/', ' harbor  trust']) {
    await enterSite(page, typed);
    await expectHarbor(page);
    await page.getByRole('link', { name: words('login.backToSite') }).click();
    await expect(page.getByRole('textbox', { name: words('site.label') })).toHaveValue('harbor');
  }
  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name === 'anteroom_site')?.value).toBe('harbor');

  // the context contains the organisation of the remembered site
  await page.reload();
  await expectHarbor(page);
  await signIn(page, product);
});

test('a visitor with an unknown site requests the site names by e-mail, and its link opens the site', async ({
  page,
  product,
}) => {
  await startAtPortal(page, product);
  await enterSite(page, 'harbour');
  const field = page.getByRole('textbox', { name: words('site.label') });
  await expect(field).toHaveAccessibleDescription(words('site.errors.siteDoesNotExist'));
  await page.getByRole('link', { name: words('site.forgotSite') }).click();
  await page.getByRole('textbox', { name: words('recovery.site.email') }).fill(demoUsers.secretary);
  const before = (await readMessages(product, demoUsers.secretary)).length;
  await page.getByRole('button', { name: words('recovery.site.send') }).click();
  const { links } = await receiveMessage(product, demoUsers.secretary, before);
  const link = links.find((address) => new URL(address).searchParams.get('site') === 'harbor');

  // the e-mail is opened in another browser
  await page.context().clearCookies();
  await page.goto(link ?? 'no link in the mail');
  await expectHarbor(page);
  await signIn(page, product);
});

test('a visitor without the site name enters an e-mail address: a company’s domain leads to the company, any other gets the same answer whether or not it is known', async ({
  page,
  product,
}) => {
  for (const [address, isKnown] of [
    [demoUsers.secretary, true],
    ['nobody@elsewhere.example', false],
  ] as const) {
    const before = (await readMessages(product, address)).length;
    await startAtPortal(page, product);
    await enterSite(page, address);
    await expect(page.getByRole('heading', { name: words('recovery.site.sentHeading') })).toBeVisible();
    await expect(page.getByText(words('recovery.site.sentDescription')).first()).toBeVisible();
    expect(page.url()).not.toContain('@');
    if (isKnown) await receiveMessage(product, address, before);
    else expect(await readMessages(product, address)).toHaveLength(before);
  }
  await startAtPortal(page, product);
  await enterSite(page, 'anna@corp.example');
  const userName = page.getByRole('textbox', { name: words('login.userName') });
  await expect(userName).toHaveValue('anna@corp.example');
  await expect(page.locator('[data-action="forgot-credentials"]')).toHaveCount(0);
});
