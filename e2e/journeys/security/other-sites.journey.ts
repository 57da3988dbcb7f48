import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { demoUsers } from '@anteroom/testkit/demo-users';
import type { Product } from '@anteroom/testkit';
import type { Page } from '@playwright/test';
import { arriveAt } from '../../fixtures/arrive.ts';
import { signInAtPortal } from '../../fixtures/sign-in-at-portal.ts';
import { words } from '../../fixtures/words.ts';
import { expect, test as base } from '../../fixtures/test.ts';

// Attacks and faults, S13, S14, S16 and S55: a page of another site attacks a signed-in user.

/** A page of another site. Its host differs, not only its port. */
const test = base.extend<{ elsewhere: string }>({
  elsewhere: async ({}, use) => {
    const server = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>elsewhere</title><body></body>'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.closeAllConnections();
    server.close();
  },
});

async function signIn(page: Page, product: Product): Promise<void> {
  await page.clock.install();
  await signInAtPortal(page, product);
  await arriveAt(page, new RegExp(`^${product.demo.url}/`));
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
}

/** Whether the browser has a session at the service. */
async function isSignedIn(page: Page, { identity }: Product): Promise<boolean> {
  const answer = await page.request.get(`${identity.url}/api/ui/sites`);
  return answer.status() === 200;
}

/** The private answers that the page can read, with and without cookies. */
async function readThere(page: Page, service: string): Promise<string[]> {
  return page.evaluate(async (origin) => {
    const read: string[] = [];
    for (const path of [
      '/api/ui/sites',
      '/api/ui/auth-context',
      '/api/ui/refresh-context',
      '/connect/userinfo',
    ])
      for (const credentials of ['include', 'omit'] as const) {
        const answer = await fetch(`${origin}${path}`, { credentials }).catch(() => undefined);
        // an error answer contains nothing private
        if (answer?.ok) read.push(`${credentials} ${path}`);
      }
    return read;
  }, service);
}

test('another site can neither change nor read anything with forms, beacons or fetches of any content type [S13, S55]', async ({
  page,
  product,
  elsewhere,
  noise,
}) => {
  await signIn(page, product);
  await page.goto(elsewhere);
  const { url } = product.identity;
  const answered: number[] = [];
  page.context().on('response', (response) => {
    if (response.url().startsWith(url)) answered.push(response.status());
  });
  for (const enctype of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
    const inAnotherTab = page.context().waitForEvent('page');
    await page.evaluate(
      ({ action, type }) => {
        const form = document.createElement('form');
        Object.assign(form, { action, method: 'post', enctype: type, target: '_blank' });
        const field = document.createElement('input');
        Object.assign(field, { name: '{"returnUrl":"', value: '"}' });
        form.append(field);
        document.body.append(form);
        form.submit();
      },
      { action: `${url}/api/ui/auth/sign-out`, type: enctype },
    );
    const tab = await inAnotherTab;
    await tab.waitForLoadState();
    await tab.close();
  }
  await page.evaluate(async (address) => {
    const body = '{}';
    const json = new Blob([body], { type: 'application/json' });
    navigator.sendBeacon(address, body);
    navigator.sendBeacon(address, json);
    await fetch(address, { method: 'POST', mode: 'no-cors', credentials: 'include', body }).catch(() => {});
    await fetch(address, {
      method: 'POST',
      credentials: 'include',
      headers: { 'content-type': 'application/json', 'x-xsrf-token': 'guess' },
      body,
    }).catch(() => {});
  }, `${url}/api/ui/auth/sign-out`);
  expect(answered.length).toBeGreaterThanOrEqual(3);
  expect(answered.filter((status) => status < 400)).toEqual([]);
  // another origin of the same site sends the cookies, but is refused too
  await page.route(product.demo.url, async (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>neighbour</title>' }),
  );
  for (const foreign of [elsewhere, product.demo.url]) {
    await page.goto(foreign);
    expect(await readThere(page, url), foreign).toEqual([]);
  }
  await page.goto(`${url}/ui/home/version`);
  expect(await readThere(page, url)).toContain('include /api/ui/sites');
  expect(await isSignedIn(page, product)).toBe(true);
  noise.splice(0);
});

test('an image, a frame or a link to the sign-out does not sign out, and no application is notified [S14]', async ({
  page,
  product,
  elsewhere,
  noise,
}) => {
  await signIn(page, product);
  const { url } = product.identity;
  const received: string[] = [];
  page.context().on('request', (request) => {
    if (request.url().includes('/front-channel-sign-out')) received.push(request.url());
  });
  const context = await page.request.get(`${url}/api/ui/logout-context`);
  const { signOutIFrameUrl } = (await context.json()) as { signOutIFrameUrl: string };
  expect(signOutIFrameUrl).toContain(`${url}/connect/`);
  const loggedOut = `${url}/ui/account/logged-out?skip_splash=true`;
  await page.goto(elsewhere);
  await page.evaluate(
    async (tried) =>
      Promise.all(
        tried.flatMap((address) =>
          ['img', 'iframe'].map(
            async (name) =>
              new Promise((resolve) => {
                const element = document.createElement(name);
                element.addEventListener('load', resolve);
                element.addEventListener('error', resolve);
                element.setAttribute('src', address);
                document.body.append(element);
              }),
          ),
        ),
      ),
    [
      `${url}/connect/session/end?client_id=director`,
      `${url}/api/ui/auth/sign-out`,
      loggedOut,
      signOutIFrameUrl,
    ],
  );
  // a link that another site opens for the visitor
  for (const address of [
    `${url}/connect/session/end?client_id=director`,
    `${url}/ui/account/logout`,
    loggedOut,
    `${loggedOut}&logoutId=of-another-site`,
  ]) {
    await page.goto(elsewhere);
    await page.evaluate((to) => location.assign(to), address);
    // a signed-in user must confirm
    await page.waitForURL(`${url}/**`);
    await expect(page.locator('main[data-step="logout"] button[type="submit"]'), address).toBeVisible();
    await expect(page.getByText(words('loggedOut.heading'))).toHaveCount(0);
  }
  await page.goto(elsewhere);
  await page.evaluate((to) => location.assign(to), signOutIFrameUrl);
  await page.waitForURL(`${url}/connect/**`);
  expect(page.frames()).toHaveLength(1);
  expect(received).toEqual([]);
  expect(await isSignedIn(page, product)).toBe(true);
  await page.goto(product.demo.url);
  await expect(page.locator('[data-claim="email"]')).toHaveText(demoUsers.secretary);
  noise.splice(0);
});

test('no page can be framed by another site, or by another origin of the same site [S16]', async ({
  page,
  product,
  elsewhere,
  noise,
}) => {
  const { url } = product.identity;
  const paths = [
    '/ui/account/login?skip_splash=true',
    '/ui/home/version',
    '/ui/account/logout',
    '/ui/assets/app/none.js',
    '/ui/',
    '/connect/authorize',
    '/connect/session/end',
    '/.well-known/openid-configuration',
    '/api/ui/sites',
    '/health/live',
    '/nowhere',
  ];
  for (const framing of [elsewhere, product.demo.url]) {
    await page.route(framing, async (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>framing</title><body></body>' }),
    );
    await page.goto(framing);
    for (const path of paths) {
      await page.evaluate(
        async (address) =>
          new Promise((resolve) => {
            document.querySelector('iframe')?.remove();
            const frame = document.createElement('iframe');
            frame.addEventListener('load', resolve);
            frame.src = address;
            document.body.append(frame);
          }),
        `${url}${path}`,
      );
      const [frame] = page.mainFrame().childFrames();
      expect(frame?.url(), `${path} in ${framing}`).toBe('chrome-error://chromewebdata/');
    }
  }
  noise.splice(0);
});
