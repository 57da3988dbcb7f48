import { generateKeyPairSync } from 'node:crypto';
import { createSelfSignedCertificate } from '@anteroom/identity/company/saml/own-keys';
import type { Page } from '@playwright/test';
import { demoUsers } from '@anteroom/testkit/demo-users';
import { findViolations } from '../../fixtures/accessibility.ts';
import { readMessages, receiveMessage } from '../../fixtures/mails.ts';
import { countPresses, openBoardOffice, openConsole } from '../../fixtures/operator.ts';
import { tabTo } from '../../fixtures/tab-to.ts';
import { expect, test } from '../../fixtures/test.ts';
import { words } from '../../fixtures/words.ts';

// The jobs of operators with their number of presses, by keyboard alone after the sign-in. The design's aims: help with a
// sign-in 1, an invitation 2, sending it again 1, a leaver 3, a lost phone 3, an organisation with its secretary 3, a
// company's sign-in 2 and 4 (by two people), a system that removes leavers 2, handing over the audit log 2, a certificate
// 2.

/** Enters wrong passwords until the account is refused. */
async function lockAccount(page: Page, demoUrl: string, userName: string): Promise<void> {
  await page.goto(demoUrl);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: words('site.label') }).fill('harbor');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: words('login.userName') }).fill(userName);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const answered = page.waitForResponse((response) => response.url().includes('authenticate'));
    await page.getByLabel(words('login.password'), { exact: true }).fill(`wrong ${attempt}`);
    await page.keyboard.press('Enter');
    await answered;
  }
}

test('an owner finds out why a director cannot sign in, and helps with one press', async ({
  page,
  browser,
  product,
}) => {
  const caller = await (await browser.newContext()).newPage();
  await lockAccount(caller, product.demo.url, demoUsers.newcomer);
  await caller.context().close();

  await openConsole(page, product);
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('newc');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-verdict="account-locked"]')).toBeVisible();

  const job = countPresses(page);
  await job.press('[data-remedy="unlock"]');
  await expect(page.locator('[data-verdict="password-must-be-changed"] [role="status"]')).toBeFocused();
  expect(job.count()).toBe(1);

  // Who changed this, and hand it over: with the filters in the address.
  const handingOver = countPresses(page);
  await handingOver.press('header a[href$="/console/audit"]');
  await expect(page.getByRole('heading', { name: 'Audit' })).toBeVisible();
  await page.goto(`${product.identity.url}/console/audit?event=operator.change&user=${demoUsers.newcomer}`);
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await expect(page.locator('tbody tr')).toContainText('lockouts');
  const downloading = page.waitForEvent('download');
  await handingOver.press('main a[download][href*="format=csv"]');
  expect((await downloading).suggestedFilename()).toBe('audit.csv');
  expect(handingOver.count()).toBe(2);
});

test('an owner adds an organisation with its secretary', async ({ page, product }) => {
  await openConsole(page, product, '/sites');
  const job = countPresses(page);
  await job.press('main a[href$="/new/sites"]');
  await expect(page.locator('input[name="name"]')).toBeFocused();
  await page.keyboard.type('meridian');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Meridian Water');
  await job.press('form button[type="submit"]');
  await expect(page.getByRole('heading', { name: 'Meridian Water' })).toBeVisible();
  await expect(page.locator('input[name="email"]')).toBeFocused();
  await page.keyboard.type('ines.carvalho@meridian.example');
  await fillByKeyboard(page, { firstName: 'Inês', lastName: 'Carvalho' });
  await tabTo(page, 'form [name="office"]');
  await page.keyboard.press('Space');
  await job.press('form button[type="submit"]');
  await expect(page.locator('[data-row="ines.carvalho@meridian.example"]')).toContainText('Board office');
  expect(job.count()).toBe(3);
});

test('the board office looks after its people', async ({ page, product }) => {
  await openBoardOffice(page, product);
  await expect(page.getByRole('heading', { name: 'Harbor Trust' })).toBeVisible();
  await expect(page.locator('header nav')).toHaveCount(0);

  const inviting = countPresses(page);
  await inviting.press('[data-opens="add"]');
  await expect(page.locator('input[name="email"]')).toBeFocused();
  await page.keyboard.type('ines.carvalho@board.example');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Inês');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Carvalho');
  await inviting.press('form button[type="submit"]');
  await expect(page.getByRole('status')).toContainText('Inês Carvalho');
  expect(inviting.count()).toBe(2);
  await receiveMessage(product, 'ines.carvalho@board.example', 0);

  const row = page.locator('[data-row="ines.carvalho@board.example"]');
  await expect(row).toContainText('Invited until');
  const before = (await readMessages(product, 'ines.carvalho@board.example')).length;
  const again = countPresses(page);
  await again.press('[data-row="ines.carvalho@board.example"] td button:not([aria-expanded])');
  await receiveMessage(product, 'ines.carvalho@board.example', before);
  expect(again.count()).toBe(1);

  const removing = countPresses(page);
  await removing.press('[data-row="ines.carvalho@board.example"] [aria-expanded="false"]');
  await removing.press('tr + tr button:text-is("Remove from the board")');
  await expect(row).toHaveCount(0);
  await expect(page.getByRole('status')).toBeFocused();
  expect(removing.count()).toBe(2);
  await removing.press('[role="status"] button');
  await expect(row).toHaveCount(1);
});

test('the board office helps a director who has lost a phone', async ({ page, product }) => {
  await openBoardOffice(page, product);
  const before = (await readMessages(product, demoUsers.newcomer)).length;
  const job = countPresses(page);
  await job.press(`[data-row="${demoUsers.newcomer}"] th a`);
  await job.press('[data-opens="lost-phone"]');
  await expect(page.locator('section[aria-label="Lost phone"] p')).toBeVisible();
  await job.press('section[aria-label="Lost phone"] button[type="submit"]');
  await expect(page.locator('[data-verdict] [role="status"]')).toBeFocused();
  expect(job.count()).toBe(3);
  const mail = await receiveMessage(product, demoUsers.newcomer, before);
  expect(mail.subject).toBe('Your lost phone no longer signs you in');
});

/** Fills fields in the order of the page with the Tab key. */
async function fillByKeyboard(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await tabTo(page, `form [name="${name}"]`);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(value);
  }
}

test('an owner connects the sign-in of a company, and tests it', async ({ page, product }) => {
  await openConsole(page, product, '/connections');
  const job = countPresses(page);
  await job.press('main a[href$="/new/connections"]');
  await expect(page.locator('input[name="name"]')).toBeFocused();
  await page.keyboard.type('meridian');
  await fillByKeyboard(page, { displayName: 'Meridian Water' });
  await tabTo(page, 'form [name="kind"]');
  await page.keyboard.type('openid');
  await job.press('form summary');
  await fillByKeyboard(page, {
    issuer: `${product.demo.url}/company`,
    clientId: 'anteroom',
    domains: 'meridian.example',
    secret: 'secret-of-meridian',
  });
  expect(await findViolations(page)).toEqual([]);
  await job.press('form button[type="submit"]');
  await expect(page.getByRole('heading', { name: 'Meridian Water' })).toBeVisible();
  await job.press('main button:text-is("Test")');
  await expect(page.locator('main li').first()).toContainText('✓');
  expect(job.count()).toBe(4);
  await expect(page.getByText('A client secret is stored. It is never shown.')).toBeVisible();
  expect(await page.content()).not.toContain('secret-of-meridian');
});

test('an owner lets a system remove leavers', async ({ page, product }) => {
  await openConsole(page, product, '/clients');
  const job = countPresses(page);
  await job.press('main a[href$="/new/clients"]');
  await expect(page.locator('input[name="id"]')).toBeFocused();
  await page.keyboard.type('nightly');
  await fillByKeyboard(page, { displayName: 'Nightly import' });
  await job.press('form summary');
  await tabTo(page, 'form [name="clientCredentials"]');
  await page.keyboard.press('Space');
  await fillByKeyboard(page, { scopes: 'members:read members:write users:read' });
  expect(await findViolations(page)).toEqual([]);
  await job.press('form button[type="submit"]');
  const secret = page.locator('[role="status"] code');
  await expect(secret).toBeVisible();
  expect(job.count()).toBe(3);

  const { url } = product.identity;
  const token = await fetch(`${url}/connect/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`nightly:${await secret.textContent()}`)}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'members:read members:write users:read',
      resource: `${url}/api/manage`,
    }),
  });
  const { access_token: bearer } = (await token.json()) as { access_token: string };
  const manage = async (method: string, path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${bearer}`, 'if-match': '*' };
    return await (await fetch(`${url}/api/manage/${path}`, { method, headers })).json();
  };
  const search = `sites/harbor/members?search=${demoUsers.newcomer}`;
  const found = (await manage('GET', search)) as { items: { userId: string }[] };
  await manage('DELETE', `sites/harbor/members/${found.items[0]?.userId ?? ''}`);
  expect(await manage('GET', search)).toEqual({ items: [], next: null });
});

test('an owner renews a certificate that expires soon', async ({ page, product }) => {
  const name = await product.connectCompany({
    kind: 'saml',
    site: 'corp',
    domain: 'corp.example',
    settings: {
      issuer: 'https://idp.meridian.example',
      entryPoint: 'https://idp.meridian.example/sso',
      certificates: [createCertificate(20)],
    },
  });
  await openConsole(page, product);
  const job = countPresses(page);
  await job.press(`[data-row^="connections/${name}"] a`);
  await expect(page.locator('[name="displayName"]')).toBeFocused();
  await fillByKeyboard(page, { certificates: createCertificate(400) });
  expect(await findViolations(page)).toEqual([]);
  await job.press('form button[type="submit"]');
  await expect(page.getByRole('status')).toBeFocused();
  expect(job.count()).toBe(2);
  await page.goto(`${product.identity.url}/console/`);
  await expect(page.getByRole('heading', { name: 'Needs a hand' })).toBeVisible();
  await expect(page.locator(`[data-row^="connections/${name}"]`)).toHaveCount(0);
});

/** A certificate of an identity provider that is valid for so many days. */
function createCertificate(days: number): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const validTo = new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();
  return createSelfSignedCertificate(privateKey, 'idp.meridian.example', validTo);
}
