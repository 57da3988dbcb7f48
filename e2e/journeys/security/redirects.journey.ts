import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Product } from '@anteroom/testkit';
import type { BrowserContext, Page } from '@playwright/test';
import { words } from '../../fixtures/words.ts';
import { expect, test } from '../../fixtures/product-test.ts';

// Attacks and faults, S02: the redirect payloads in a real browser against the real service, through to the final navigation.

const payloads = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../identity/testing/open-redirect-payloads.json'), 'utf8'),
) as string[];

/** Everything that a page sets out for, and whatever it runs. */
function keepWatch(context: BrowserContext, { identity, demo }: Product): { harm: string[] } {
  const ours = [identity.url, demo.url].map((url) => new URL(url).origin);
  const harm: string[] = [];
  const isOurs = (url: string): boolean => ours.includes(new URL(url).origin) || url === 'about:blank';
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

/** Where a payload is put in, and what a visitor would do there. */
const sinks: Record<string, (page: Page, product: Product, payload: string) => Promise<void>> = {
  'ReturnUrl of the page': async (page, { identity }, payload) => {
    const query = new URLSearchParams({ ReturnUrl: payload, skip_splash: 'true' });
    await page.goto(`${identity.url}/ui/account/login?${query.toString()}`);
    await page.locator('main[data-step="error"]').waitFor();
    // present only where it leads to our own service; without it stands the link to the installation's start page
    const startAgain = page.getByRole('link', { name: words('error.startAgain') });
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

/** What the page is to make of; the others the service refuses in one way, all of them in `identity/src/openid/redirect-payloads.test.ts`. */
const isForPage = (sink: string): boolean => sink === 'ReturnUrl of the page';

test.describe.configure({ mode: 'parallel' });

for (const [sink, visit] of Object.entries(sinks))
  test(`S02: no payload as ${sink} leads a browser off the lists, nor runs`, async ({ browser, product }) => {
    // other hosts are behind a proxy that is not there: to hold up every request instead takes several times as long
    const proxy = { server: 'http://localhost:9', bypass: 'localhost' };
    const context = await browser.newContext({ proxy });
    const { harm } = keepWatch(context, product);
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
