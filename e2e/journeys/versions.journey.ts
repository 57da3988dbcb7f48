import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDemo } from '@anteroom/boards-demo';
import { startTestProduct } from '@anteroom/testkit';
import type { Product } from '@anteroom/testkit';
import { demoPassword, demoUsers } from '@anteroom/testkit/demo-users';
import { distFolder } from '@anteroom/testkit/static-files';
import type { Page } from '@playwright/test';
import {
  hasPreviousRelease,
  unpackPreviousRelease,
  withoutPreviousRelease,
} from '../../identity/testing/nodes/previous-release.ts';
import { startRoundRobin } from '../../identity/testing/nodes/round-robin.ts';
import { runCommand } from '../../tools/command.ts';
import { findFreePort } from '../../tools/start/ports.ts';
import { receiveMessage } from '../fixtures/mails.ts';
import { expect, test } from '../fixtures/test.ts';

// Page and service are deployed separately, and a page stays open across a deployment. Texts can differ between versions, so the
// journeys find elements by their names in the wire contract.

type RunningProduct = Pick<Product, 'identity' | 'demo'> & { close: () => Promise<void> };

const phone = '+442079460142';
const step = (name: string): string => `main[data-step="${name}"]`;

async function enterSiteAndPassword(page: Page, userName: string, password = demoPassword): Promise<void> {
  await page.locator('input[name="site"]').fill('harbor');
  await page.keyboard.press('Enter');
  await page.locator('input[name="userName"]').fill(userName);
  await page.locator('input[name="password"]').fill(password);
  await page.keyboard.press('Enter');
}

const claim = (page: Page, name: string) => page.locator(`[data-claim="${name}"]`);

/** The most common actions: a wrong and a right password, a code, another site, a changed password, a sign-out. */
async function useEverything(page: Page, place: RunningProduct): Promise<void> {
  await test.step('a password', async () => {
    await page.goto(place.demo.url);
    await page.locator('[data-action="sign-in"]').click();
    await enterSiteAndPassword(page, demoUsers.director, 'not my password');
    const alert = page.locator(`${step('credentials')} [role="alert"]`);
    await expect(alert.filter({ hasText: /./ })).toBeVisible();
    await page.locator('input[name="password"]').fill(demoPassword);
    await page.keyboard.press('Enter');
  });
  await test.step('a code', async () => {
    await page.locator(step('second-factor-required')).waitFor();
    const { code = '' } = await receiveMessage(place as Product, phone, 0);
    await page.locator('input[name="code-1"]').click();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await expect(claim(page, 'email')).toHaveText(demoUsers.director);
  });
  await test.step('another site', async () => {
    await page.locator('[data-action="switch-site"]').click();
    await page
      .locator(`${step('select-site')} [data-site="northwind-audit"] button`)
      .first()
      .click();
    await expect(claim(page, 'site')).toHaveText('northwind-audit');
  });
  await test.step('a sign-out', async () => {
    await page.goto(`${place.identity.url}/ui/account/logout`);
    // The signed-out page notifies the portal in a hidden frame, so the journey waits for it.
    const notified = page.waitForResponse(`${place.demo.url}/front-channel-sign-out*`);
    await page.locator(`${step('logout')} button[type="submit"]`).click();
    await (await notified).finished();
  });
  await test.step('a forced change of the password', async () => {
    // another person's browser, which remembers neither the site nor the account
    await page.context().clearCookies();
    await page.goto(place.demo.url);
    await page.locator('[data-action="sign-in"]').click();
    await enterSiteAndPassword(page, demoUsers.newcomer);
    await page.locator(step('password-reset-required')).waitFor();
    const changeTo = async (password: string): Promise<void> => {
      await page.locator('input[name="currentPassword"]').fill(demoPassword);
      await page.locator('input[name="newPassword"]').fill(password);
      await page.locator('input[name="newPasswordConfirmation"]').fill(password);
      await page.keyboard.press('Enter');
    };
    // The previous release loads its list of common passwords at this call, which can exceed the page's timeout on a
    // slow machine.
    await changeTo('passwordpassword');
    await page.locator('main [aria-invalid="true"], [data-notification="error"]').first().waitFor();
    await changeTo('calm lantern orchard 5831');
    await expect(claim(page, 'email')).toHaveText(demoUsers.newcomer);
  });
}

/**
 * Starts the service of the previous release as a process, with the current page and demo portal. The service runs
 * behind a load balancer, because it answers a browser's idle connection with 400, which the browser takes for the
 * answer to its next request.
 */
async function startPreviousService(main: URL, dataFolder: string): Promise<RunningProduct> {
  const [port, demoPort] = [await findFreePort(), await findFreePort()];
  const balancer = await startRoundRobin(() => new URL(url).host);
  const url = `http://localhost:${balancer.port}`;
  balancer.add({ port });
  const env = {
    PORT: String(port),
    PUBLIC_URL: url,
    DEMO_PORT: String(demoPort),
    DATA_DIR: dataFolder,
    WEB_DIST: distFolder,
  };
  const child = spawn(process.execPath, [fileURLToPath(main)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const portal = `http://localhost:${demoPort}`;
  await expect
    .poll(
      async () =>
        fetch(`${url}/health/ready`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 120_000 },
    )
    .toBe(200);
  const demo = buildDemo({
    port: demoPort,
    publicUrl: portal,
    issuer: url,
    clientId: 'director',
    company: false,
  });
  await demo.listen({ port: demoPort, host: 'localhost' });
  return {
    identity: { url },
    demo: { url: portal },
    close: async () => {
      await Promise.all([demo.close(), balancer.close()]);
      child.kill();
      await once(child, 'exit');
    },
  };
}

test.describe('the page and the service of consecutive releases', () => {
  let previous: ReturnType<typeof unpackPreviousRelease>;
  test.beforeAll(() => {
    if (hasPreviousRelease) previous = unpackPreviousRelease();
  });
  test.beforeEach(() => test.info().skip(!hasPreviousRelease, withoutPreviousRelease));
  test.afterAll(() => {
    if (hasPreviousRelease) previous.remove();
  });

  test('the page of the previous release works with this service', async ({ page }) => {
    const folder = join(previous.folder, 'web');
    const { exitCode, output } = await runCommand('vite', ['build', '--logLevel', 'warn'], { folder });
    expect(exitCode, output).toBe(0);
    const product = await startTestProduct({ WEB_DIST: join(folder, 'dist') });
    try {
      await useEverything(page, product);
    } finally {
      await product.close();
    }
  });

  test('this page works with the service of the previous release', async ({ page }) => {
    const place = await startPreviousService(previous.main, join(previous.folder, 'data'));
    try {
      await useEverything(page, place);
    } finally {
      await place.close();
    }
  });
});
