import { beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { authorizeAddress, beginSignIn } from '../../testing/relying-party.ts';
import { signIn } from '../../testing/journeys.ts';
import { useApplication } from '../../testing/use-application.ts';
import { tidyUp } from '../process/housekeeping.ts';

const allowed = 5;
const application = useApplication({
  settings: { TRUSTED_PROXIES: '127.0.0.1' },
  fixed: { anonymousRequestsPerTenMinutes: allowed },
});
const { host } = new URL(publicUrl);

beforeEach(async () => {
  await application().services.database.deleteFrom('limits').execute();
});

/** Sends a request without cookies. Each test uses its own client address. */
async function send(url: string, address: string) {
  const headers = { host, 'x-forwarded-for': address, accept: '*/*' };
  const { statusCode, headers: answered, body } = await application().app.inject({ url, headers });
  return { status: statusCode, headers: answered, body };
}

async function countRows(): Promise<number> {
  const tables = ['sessions', 'sign_ins', 'sign_outs', 'openid_records', 'error_records'] as const;
  let count = 0;
  for (const table of tables)
    count += (await application().services.database.selectFrom(table).selectAll().execute()).length;
  return count;
}

const beginnings: [string, () => string][] = [
  ['authorize requests', () => authorizeAddress(portal).address],
  ['authorize requests of an unknown application', () => '/connect/authorize?client_id=nobody'],
  [
    'authorize requests that are too long',
    () => authorizeAddress(portal, { state: 's'.repeat(7000) }).address,
  ],
  ['silent requests that end on the error page', () => '/connect/authorize?client_id=nobody&prompt=none'],
  ['sign-outs', () => '/connect/session/end'],
  ['requests for the sign-out page', () => '/api/ui/logout-context'],
  ['requests for the recovery page', () => '/api/ui/recovery/context'],
];

describe('the limit on anonymous requests from one address [S67]', () => {
  test.each(beginnings)('%s: requests over the limit get 429 and write nothing', async (_what, url) => {
    for (let index = 0; index < allowed; index += 1)
      expect((await send(url(), '203.0.113.1')).status).toBeLessThan(400);
    const before = await countRows();
    for (let index = 0; index < 3; index += 1) {
      const refused = await send(url(), '203.0.113.1');
      expect(refused.status).toBe(429);
      expect(JSON.parse(refused.body)).toEqual({ code: 'rate_limit_reached' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(590);
      expect(refused.headers['set-cookie']).toBeUndefined();
      expect(refused.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
    expect(await countRows()).toBe(before);
    expect((await send(url(), '203.0.113.2')).status).toBeLessThan(400);
    application().clock.advanceSeconds(600);
    expect((await send(url(), '203.0.113.1')).status).toBeLessThan(400);
  });

  test('counts all kinds of request together, and each request once', async () => {
    for (const url of [
      '/connect/session/end',
      '/api/ui/logout-context',
      '/connect/authorize?client_id=nobody',
    ])
      await send(url, '203.0.113.3');
    await send(authorizeAddress(portal).address, '203.0.113.3');
    expect((await send(authorizeAddress(portal).address, '203.0.113.3')).status).toBe(303);
    expect((await send('/api/ui/recovery/context', '203.0.113.3')).status).toBe(429);
  });

  test('shows the visitor the error page with the reason', async () => {
    const browser = application().openBrowser();
    const from = { 'x-forwarded-for': '203.0.113.4' };
    for (let index = 0; index < allowed; index += 1)
      await browser.visit(authorizeAddress(portal).address, from);
    const refused = await browser.visit(authorizeAddress(portal).address, from);
    expect(refused.status).toBe(303);
    const page = new URL(refused.headers['location'] ?? '', publicUrl);
    expect(page.pathname).toBe('/ui/home/error');
    const errorId = page.searchParams.get('errorId') ?? '';
    expect((await browser.call('/api/ui/error-message', { errorId })).json()).toEqual({
      error: 'rate_limit_reached',
    });
  });

  test('counts each sign-in that a browser with an anonymous session starts, but not the calls of its page', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    for (let index = 0; index < 3 * allowed; index += 1)
      expect((await browser.call('/api/ui/auth-context', { returnUrl })).status).toBe(200);
    for (let index = 1; index < allowed; index += 1) await beginSignIn(browser, portal);
    expect((await browser.visit(authorizeAddress(portal).address)).headers['location']).toMatch(
      /errorId=rate_limit/,
    );
  });

  test('other clients behind the same address do not block a known browser; a browser with a forged known-browser cookie is unknown [S34]', async () => {
    const known = application().openBrowser();
    await signIn(known);
    known.cookies.delete('anteroom_session');
    const forged = application().openBrowser();
    forged.cookies.set('anteroom_known', { value: 'x.y', path: '/' });
    const begin = async (browser: Browser) =>
      (await browser.visit(authorizeAddress(portal).address)).headers['location'];
    for (let index = 0; index < allowed; index += 1) await begin(application().openBrowser());
    for (const unknownBrowser of [application().openBrowser(), forged])
      expect(await begin(unknownBrowser)).toMatch(/errorId=rate_limit/);
    for (let index = 0; index < 30; index += 1) expect(await begin(known)).toMatch(/^\/ui\/account\/login/);
    expect(await begin(known)).toMatch(/errorId=rate_limit/);
  });

  test('does not count a browser with a valid session', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    for (let index = 0; index < 2 * allowed; index += 1) {
      await beginSignIn(browser, portal, { prompt: 'login' });
      const signOut = await browser.visit('/connect/session/end');
      expect(signOut.headers['location']).toMatch(/^\/ui\/account\/logout/);
    }
  });

  test('does not count prompt=none requests that write nothing', async () => {
    const silent = () => send(authorizeAddress(portal, { prompt: 'none' }).address, '203.0.113.5');
    for (let index = 0; index < 3 * allowed; index += 1)
      expect((await silent()).headers['location']).toMatch(/error=login_required/);
  });

  test('deletes the records of an anonymous sign-out after 30 minutes', async () => {
    const { services, clock } = application();
    await send('/connect/session/end', '203.0.113.7');
    clock.advanceSeconds(30 * 60);
    await tidyUp(services);
    expect(await services.database.selectFrom('sign_outs').selectAll().execute()).toEqual([]);
    const records = services.database.selectFrom('openid_records').where('account_id', 'is', null);
    expect(await records.selectAll().execute()).toEqual([]);
  });

  test('counts requests with a trailing slash', async () => {
    const { address } = authorizeAddress(portal);
    const before = await countRows();
    expect((await send(address.replace('authorize?', 'authorize/?'), '203.0.113.6')).status).toBe(404);
    expect(await countRows()).toBe(before);
  });
});
