import { describe, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { readIdToken, redeem, signIn } from '../../testing/journeys.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();

async function signedIn() {
  const browser = application().openBrowser();
  const claims = readIdToken(await redeem(application(), await signIn(browser)));
  return { browser, sid: String(claims['sid']) };
}

async function findFrame(browser: Browser): Promise<string | undefined> {
  const { signOutIFrameUrl } = (await browser.call('/api/ui/logout-context')).json();
  return typeof signOutIFrameUrl === 'string' ? signOutIFrameUrl : undefined;
}

const framed = (text: string): string[] =>
  [...text.matchAll(/<iframe src="([^"]*)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));

describe('the front-channel logout page', () => {
  test('frames the registered URI of each client of the session with `iss` and `sid`, even after the session has ended [I11]', async () => {
    const { browser, sid } = await signedIn();
    const address = await findFrame(browser);
    expect(address).toMatch(new RegExp(`^${publicUrl}/connect/signed-out-frame\\?ticket=`));
    await browser.post('/api/ui/auth/sign-out', {});

    const page = await browser.visit(address ?? '');
    expect(page.status).toBe(200);
    expect(framed(page.text)).toEqual([
      `http://localhost:4401/front-channel-sign-out?${new URLSearchParams({ iss: publicUrl, sid }).toString()}`,
    ]);
    expect(page.text).toContain('referrerpolicy="no-referrer"');
    expect(page.text).not.toContain('<script');
  });

  test('is the only page that can be framed, only by pages of the service, and frames only those clients [I11, S16]', async () => {
    const { browser } = await signedIn();
    const address = await findFrame(browser);
    await browser.post('/api/ui/auth/sign-out', {});
    const { headers } = await browser.visit(address ?? '');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; frame-src http://localhost:4401; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
    );
    expect(headers).toMatchObject({
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  test('is not offered without a user or without a client that uses it', async () => {
    expect(await findFrame(application().openBrowser())).toBeUndefined();
  });

  test('names no client while the session is active, with or without the browser’s cookies [I11, S14]', async () => {
    const { browser } = await signedIn();
    const address = (await findFrame(browser)) ?? '';
    for (const asking of [browser, application().openBrowser()]) {
      const page = await asking.visit(address);
      expect(page.status).toBe(404);
      expect(framed(page.text)).toEqual([]);
    }
    await browser.post('/api/ui/auth/sign-out', {});
    expect(framed((await browser.visit(address)).text)).toHaveLength(1);
  });

  test('names the clients of an ended session while the user is signed in again', async () => {
    const { browser, sid } = await signedIn();
    const address = (await findFrame(browser)) ?? '';
    await browser.post('/api/ui/auth/sign-out', {});
    await signIn(browser);
    expect(framed((await browser.visit(address)).text).join()).toContain(sid);
  });

  test('a foreign, altered or expired ticket frames nothing [S01]', async () => {
    const { browser } = await signedIn();
    const ticket = new URL((await findFrame(browser)) ?? '').searchParams.get('ticket') ?? '';
    await browser.post('/api/ui/auth/sign-out', {});
    const [, hash = ''] = ticket.split('.');
    const other = Buffer.from(
      JSON.stringify({ until: Date.now() * 2, applications: [['director', 'x']] }),
    ).toString('base64url');
    const visit = (value: string) =>
      browser.visit(`/connect/signed-out-frame?${new URLSearchParams({ ticket: value }).toString()}`);
    for (const forged of ['', 'x', `${other}.${hash}`, `${ticket}x`, `${ticket}.x`, `__proto__.${hash}`]) {
      const answer = await visit(forged);
      expect(answer.status, forged).toBe(404);
      expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
    expect((await browser.visit(`/connect/signed-out-frame?ticket=${ticket}&ticket=x`)).status).toBe(404);
    expect((await visit(ticket)).status).toBe(200);
    application().clock.advanceSeconds(60 * 60 + 1);
    expect((await visit(ticket)).status).toBe(404);
  });
});

describe('a URI outside the origins of the client [S01]', () => {
  test.each(['https://evil.test/', 'javascript:alert(1)', 'http://localhost:4402/x', '/relative'])(
    '%s is not framed',
    async (uri) => {
      const { database } = application().services;
      const { metadata } = await database
        .selectFrom('clients')
        .select('metadata')
        .where('id', '=', portal.clientId)
        .executeTakeFirstOrThrow();
      const clientId = `other-${Buffer.from(uri).toString('hex').slice(0, 12)}`;
      await addClients(database, { [clientId]: { ...metadata, frontchannel_logout_uri: uri } });
      const browser = application().openBrowser();
      await signIn(browser, { client_id: clientId });
      expect(await findFrame(browser)).toBeUndefined();
    },
  );
});
