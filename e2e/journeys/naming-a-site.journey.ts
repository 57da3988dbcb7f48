import { demoPassword, demoPeople } from '@anteroom/testkit/demo-people';
import type { Product } from '@anteroom/testkit';
import type { Locator, Page } from '@playwright/test';
import { readMessages, receiveMessage } from '../fixtures/mails.ts';
import { expect, test } from '../fixtures/test.ts';
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
async function expectHarbor(page: Page): Promise<Locator> {
  const header = page.locator('[data-site-header]');
  await expect(header).toContainText('Harbor Trust');
  await expect(header).toContainText('harbor');
  await expect
    .poll(async () => header.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expect(page.getByRole('heading', { name: 'Sign in to Harbor Trust' })).toBeVisible();
  return header;
}

async function signIn(page: Page, product: Product): Promise<void> {
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoPeople.secretary);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn') }).click();
  await expect(page).toHaveURL(new RegExp(`^${product.demo.url}/`));
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoPeople.secretary);
}

test('a visitor enters the organisation’s familiar name, sees its header, and later sign-ins use the name of the site', async ({
  page,
  product,
}) => {
  await startAtPortal(page, product);
  for (const typed of ['HARBOR', 'https://harbor.example/', ' harbor  trust']) {
    await enterSite(page, typed);
    const header = await expectHarbor(page);
    await header.getByRole('link', { name: words('site.notYours') }).click();
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
  await page.getByRole('link', { name: words('site.sendNames') }).click();
  await page.getByRole('textbox', { name: words('recovery.site.email') }).fill(demoPeople.secretary);
  const before = (await readMessages(product, demoPeople.secretary)).length;
  await page.getByRole('button', { name: words('recovery.site.send') }).click();
  const { links } = await receiveMessage(product, demoPeople.secretary, before);
  const link = links.find((address) => new URL(address).searchParams.get('site') === 'harbor');

  // the e-mail is opened in another browser
  await page.context().clearCookies();
  await page.goto(link ?? 'no link in the mail');
  await expectHarbor(page);
  await signIn(page, product);
});
