import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Product } from '@anteroom/testkit';
import type { BrowserContext, Page } from '@playwright/test';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/test.ts';

// docs/security-coverage.md, S02: the redirect payloads in a real browser against the real service, through to the final navigation.

const payloads = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../identity/testing/open-redirect-payloads.json'), 'utf8'),
) as string[];

/** Records the forbidden requests, navigations and scripts of all pages. */
function recordHarm(context: BrowserContext, { identity, demo }: Product): { harm: string[] } {
  const productOrigins = [identity.url, demo.url].map((url) => new URL(url).origin);
  const harm: string[] = [];
  const isOurs = (url: string): boolean =>
    productOrigins.includes(new URL(url).origin) || url === 'about:blank';
  context.on('request', (request) => {
    if (!isOurs(request.url())) harm.push(`asked for ${request.url()}`);
  });
  context.on('dialog', (dialog) => {
    harm.push(`ran a script that said ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('page', (page) => {
    page.on('framenavigated', (frame) => {
      if (!isOurs(frame.url())) harm.push(`went to ${frame.url()}`);
    });
  });
  return { harm };
}

/** The parameters that take a payload, and the visitor's actions with it. */
const sinks: Record<string, (page: Page, product: Product, payload: string) => Promise<void>> = {
  'ReturnUrl of the page': async (page, { identity, demo }, payload) => {
    const query = new URLSearchParams({ ReturnUrl: payload, skip_splash: 'true' });
    await page.goto(`${identity.url}/ui/account/login?${query.toString()}`);
    await page.locator('main[data-step="error"]').waitFor();
    // a payload that is no address of the service leaves the link to the start page, which is the portal
    const startAgain = page
      .getByRole('link', { name: words('error.startAgain') })
      .and(page.locator(`:not([href^="${demo.url}"])`));
    if ((await startAgain.count()) === 0) return;
    await startAgain.click();
    await page.waitForLoadState();
  },
  post_logout_redirect_uri: async (page, { identity }, payload) => {
    const query = new URLSearchParams({ client_id: 'director', post_logout_redirect_uri: payload });
    await page.goto(`${identity.url}/connect/session/end?${query.toString()}`);
  },
  redirect_uri: async (page, { identity }, payload) => {
    const query = new URLSearchParams({
      client_id: 'director',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: payload,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    await page.goto(`${identity.url}/connect/authorize?${query.toString()}`);
  },
};

/** Whether the page handles the payload. The service refuses the others; `identity/src/provider/redirect-payloads.test.ts` tests all payloads. */
const isForPage = (sink: string): boolean => sink === 'ReturnUrl of the page';

test.describe.configure({ mode: 'parallel' });

for (const [sink, visit] of Object.entries(sinks))
  test(`no payload as ${sink} redirects a browser to a forbidden address or runs a script [S02]`, async ({
    browser,
    product,
  }) => {
    // blocks other hosts by a proxy that does not exist, because intercepting every request takes several times as long
    const proxy = { server: 'http://localhost:9', bypass: 'localhost' };
    const context = await browser.newContext({ proxy });
    const { harm } = recordHarm(context, product);
    const waiting = payloads.filter((_, index) => isForPage(sink) || index % 4 === 0);
    const work = async (page: Page): Promise<void> => {
      for (let payload = waiting.shift(); payload !== undefined; payload = waiting.shift()) {
        await visit(page, product, payload);
        const attacked = await page.evaluate(() => Reflect.get(globalThis, '__xss') as unknown);
        expect(attacked, payload).toBeUndefined();
        expect(harm, payload).toEqual([]);
        expect(new URL(page.url()).origin, payload).toBe(product.identity.url);
      }
    };
    await Promise.all([work(await context.newPage()), work(await context.newPage())]);
    await context.close();
  });
