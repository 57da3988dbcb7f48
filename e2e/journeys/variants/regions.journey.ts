import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import { startRegions } from '@anteroom/testkit/started-regions';
import type { StartedRegions } from '@anteroom/testkit/started-regions';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { words } from '../../fixtures/words.ts';

// Two real regions as in `npm run start:regions`, with subdomains of one host, as in production.

// all journeys share one pair of regions, because two new databases are slow to start
test.describe.configure({ mode: 'default' });

let regions: StartedRegions;
let folder: string;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'anteroom-regions-'));
  regions = await startRegions(folder);
});
test.afterAll(async () => {
  await regions.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function nameSite(page: Page, site: string): Promise<void> {
  await page.goto(regions.demo);
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByRole('textbox', { name: words('site.label') }).fill(site);
  await page.getByRole('button', { name: words('common.continue') }).click();
}

/** The answer of an address, loaded in a new tab: a browser resolves subdomains of localhost, Node does not. */
async function look(page: Page, address: string): Promise<{ status: number; text: string }> {
  const tab = await page.context().newPage();
  const answer = await tab.goto(address);
  const result = { status: answer?.status() ?? 0, text: (await answer?.text()) ?? '' };
  await tab.close();
  return result;
}

/** The latest code in the outbox of a region. */
async function readCode(page: Page, region: string): Promise<string> {
  const { text } = await look(page, `${region}/dev/outbox`);
  const code = /\b\d{6}\b/.exec(text)?.[0];
  if (code === undefined) throw new Error('No code was sent');
  return code;
}

async function proveWhoOneIs(page: Page, region: string): Promise<void> {
  await page.getByRole('textbox', { name: words('login.userName') }).fill(demoUsers.director);
  await page.getByLabel(words('login.password'), { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: words('login.signIn'), exact: true }).click();
  await expect(page.locator('main')).toHaveAttribute('data-step', 'second-factor-required');
  await page.locator('input[name="code-1"]').pressSequentially(await readCode(page, region));
  await page.locator('main button[type="submit"]').click();
}

const claim = (page: Page, name: string) => page.locator(`[data-claim="${name}"]`);

test('a director signs in to one region and continues to a board in another, which issues the tokens; a sign-out ends both sessions [7.1]', async ({
  page,
}) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') violations.push(message.text());
  });
  await nameSite(page, 'harbor');
  await proveWhoOneIs(page, regions.eu);
  await expect(claim(page, 'iss')).toHaveText(regions.eu);

  await page.locator('[data-action="switch-site"]').click();
  const carried = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/regions/arrive'),
  );
  await page.locator('[data-site="lakeside"] button').click();
  const sent = await carried;
  expect(new URL(sent.url()).origin).toBe(regions.us);
  expect(sent.headers()['referer'] ?? '').not.toContain('request=');
  await expect(claim(page, 'iss')).toHaveText(regions.us);
  await expect(claim(page, 'site')).toHaveText('lakeside');
  await expect(claim(page, 'amr')).toHaveText('pwd sms');
  expect(violations).toEqual([]);

  // the portal signs out at region us, which notifies eu
  await page.locator('[data-action="sign-out"]').click();
  await expect(page.getByText('You are signed out.')).toBeVisible();
  for (const region of [regions.us, regions.eu])
    await expect.poll(async () => (await look(page, `${region}/api/ui/sites`)).status).toBe(401);
});

test('if the other region is unreachable, the list reports it and the user can choose again [8.9]', async ({
  page,
}) => {
  await nameSite(page, 'harbor');
  await proveWhoOneIs(page, regions.eu);
  await expect(claim(page, 'iss')).toHaveText(regions.eu);
  await page.locator('[data-action="switch-site"]').click();
  await expect(page.locator('[data-site="lakeside"]')).toBeVisible();

  regions.pause();
  await page.locator('[data-site="lakeside"] button').click();
  await expect(page.locator('[data-notification="error"]')).toContainText(
    words('error.unexpectedErrorOccurred'),
  );
  regions.resume();
  await page.locator('[data-site="lakeside"] button').click();
  await expect(claim(page, 'iss')).toHaveText(regions.us);
});

test('an employee enters a board of another region, signs in over the company there, and reaches the original destination', async ({
  page,
}) => {
  await page.goto(`${regions.demo}/agenda`);
  await page.getByRole('textbox', { name: words('site.label') }).fill('corp');
  await page.getByRole('button', { name: words('common.continue') }).click();
  await page.getByRole('textbox', { name: words('login.userName') }).fill('employee@corp.example');
  await page.getByRole('button', { name: words('common.continue') }).click();
  await expect(page).toHaveURL(/\/company\/sign-in\//);
  await page.getByLabel('Password').fill(demoPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Agenda of the next meeting' })).toBeVisible();
  await expect(page.getByText('Corp Industries')).toBeVisible();
  await page.getByRole('link', { name: 'Your board' }).click();
  await expect(claim(page, 'iss')).toHaveText(regions.us);
  await expect(claim(page, 'amr')).toHaveText('fed');
});

test('without JavaScript an Arabic page continues with a button, and the other region uses Arabic too', async ({
  page,
  context,
}) => {
  await page.goto(`${regions.demo}/go/sign-in?language=ar&site=harbor`);
  await page.locator('input[name="userName"]').fill(demoUsers.director);
  await page.locator('input[name="password"]').fill(demoPassword);
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toHaveAttribute('data-step', 'second-factor-required');
  await page.locator('input[name="code-1"]').pressSequentially(await readCode(page, regions.eu));
  await page.keyboard.press('Enter');
  await expect(claim(page, 'iss')).toHaveText(regions.eu);

  await page.goto(`${regions.demo}/go/switch-site?target=/agenda`);
  await expect(page.locator('[data-site="lakeside"]')).toBeVisible();
  const browser = await context.newCDPSession(page);
  // JavaScript is off from the first page between the regions
  await page.route(/\/regions\/arrive\?/, async (route) => {
    await browser.send('Emulation.setScriptExecutionDisabled', { value: true });
    await route.continue();
  });
  await page.locator('[data-site="lakeside"] button').click();
  await expect(page.getByRole('heading', { name: 'لحظة من فضلك' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'متابعة' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Agenda of the next meeting' })).toBeVisible();
  await expect(page.getByText('Lakeside Partners')).toBeVisible();
  const cookies = await context.cookies(regions.us);
  expect(cookies.find(({ name }) => name === 'anteroom_locale')?.value).toBe('ar');
});
