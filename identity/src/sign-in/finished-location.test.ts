import { beforeEach, describe, expect, test } from 'vitest';
import { addUser } from '../../testing/add-user.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { readIdToken, redeem, sendPassword, signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { pruneSignIns } from './sign-ins-store.ts';
import { demoPassword } from '../demo/demo-data.ts';

const application = useApplication();
const home = 'http://localhost:4401/';
const newcomer = { site: 'harbor', userName: 'newcomer@demo.example', password: demoPassword };

beforeEach(async () => {
  const { database } = application().services;
  await database.deleteFrom('limits').execute();
  // Removes the required password change of the demo user `newcomer`.
  await database.updateTable('credentials').set({ must_change: false }).execute();
});

const contextOf = (browser: Browser, returnUrl: string, query: Record<string, string> = {}) =>
  browser.call('/api/ui/auth-context', { returnUrl, ...query });
const locationOf = async (browser: Browser, returnUrl: string, query: Record<string, string> = {}) =>
  (await contextOf(browser, returnUrl, query)).json()['finishedLocation'];

describe('the page of a completed sign-in', () => {
  test('redirects to the client’s registered start page, whatever its URL contains', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await signIn(browser);
    const forged = new URL(returnUrl, publicUrl);
    for (const name of ['client_id', 'redirect_uri', 'finishedLocation'])
      forged.searchParams.set(name, 'https://evil.test/');
    for (const address of [returnUrl, `${forged.pathname}${forged.search}`])
      expect(await locationOf(browser, address)).toBe(home);
    // The rest of the response is the same for a page that does not support this member.
    expect((await contextOf(browser, returnUrl)).json()).toMatchObject({
      returnUrl,
      clientId: 'director',
      session: { state: 'valid', authSite: 'harbor' },
    });
  });

  test('redirects to the start page after the session has expired too, and accepts no further proof', async () => {
    const browser = application().openBrowser();
    const started = await signIn(browser);
    application().clock.advanceSeconds(30 * 60);
    expect(await locationOf(browser, started.returnUrl)).toBe(home);
    expect((await sendPassword(browser, started)).status).toBe(404);
    expect((await browser.call('/api/ui/auth/retry')).json()).toEqual({ retry: false });
    application().clock.advanceSeconds(12 * 60 * 60);
    expect((await contextOf(browser, started.returnUrl)).status).toBe(404);
  });

  test('redirects to the client as long as the browser has not followed the redirect', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const { location } = (await sendPassword(browser, started)).json();
    expect(await locationOf(browser, started.returnUrl)).toBe(location);
    const { address } = await browser.follow(String(location));
    expect(address.searchParams.get('state')).toBe(started.state);
    expect(await locationOf(browser, started.returnUrl)).toBe(home);
  });

  test('is not found in another browser, signed in or not', async () => {
    const { returnUrl } = await signIn(application().openBrowser());
    const [stranger, other] = [application().openBrowser(), application().openBrowser()];
    await signIn(other, {}, newcomer);
    for (const browser of [stranger, other]) {
      const answer = await contextOf(browser, returnUrl);
      expect([answer.status, answer.json()]).toEqual([404, { code: 'not_found' }]);
    }
  });

  test('is not found after the sign-out', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await signIn(browser);
    await browser.post('/api/ui/auth/sign-out', {});
    expect((await contextOf(browser, returnUrl)).status).toBe(404);
  });

  test('redirects to the client’s login address if it has no start page', async () => {
    const { database, clock } = application().services;
    const metadata = JSON.stringify({
      redirect_uris: ['https://minutes.example/callback'],
      initiate_login_uri: 'https://minutes.example/begin',
      token_endpoint_auth_method: 'none',
    });
    const row = { id: 'minutes', display_name: 'Minutes', customizations: '{}', metadata };
    await database
      .insertInto('clients')
      .values({ ...row, created_at: clock.now() })
      .execute();
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, {
      clientId: 'minutes',
      redirectUri: 'https://minutes.example/callback',
    });
    const { location } = (await sendPassword(browser, started)).json();
    expect((await browser.follow(String(location))).address.host).toBe('minutes.example');
    const begin = new URL('https://minutes.example/begin');
    begin.searchParams.set('iss', publicUrl);
    expect(await locationOf(browser, started.returnUrl)).toBe(begin.href);
  });
});

describe('an expired sign-in', () => {
  /** A sign-in that expires in one tab while the session stays active in another. */
  async function leaveOpen() {
    const browser = application().openBrowser();
    await signIn(browser);
    const { returnUrl } = await beginSignIn(browser, portal, { prompt: 'elevate' });
    for (const _twentyMinutes of [1, 2, 3]) {
      application().clock.advanceSeconds(20 * 60);
      await browser.call('/api/ui/sites');
    }
    await pruneSignIns(application().services.database, application().clock.now());
    return { browser, returnUrl };
  }

  test('redirects a signed-in user to the start page', async () => {
    const { browser, returnUrl } = await leaveOpen();
    expect(await locationOf(browser, returnUrl)).toBe(home);
    application().clock.advanceSeconds(30 * 60);
    expect((await contextOf(browser, returnUrl)).status).toBe(404);
  });

  test('is not found for another user, in another browser, or after the sign-out', async () => {
    const { browser, returnUrl } = await leaveOpen();
    const other = application().openBrowser();
    await signIn(other);
    expect((await contextOf(other, returnUrl)).status).toBe(404);
    const { database, clock } = application().services;
    const uid = /authorize\/([^?]+)/.exec(returnUrl)?.[1] ?? '';
    const setUser = (user_id: string | null) =>
      database.updateTable('sign_ins').set({ user_id }).where('uid', '=', uid).execute();
    await setUser(await addUser(database, clock.now()));
    expect((await contextOf(browser, returnUrl)).status).toBe(404);
    await setUser(null);
    expect(await locationOf(browser, returnUrl)).toBe(home);
    await browser.post('/api/ui/auth/sign-out', {});
    expect((await contextOf(browser, returnUrl)).status).toBe(404);
  });
});

describe('a sign-in that waits in a second tab while the user signs in in the first', () => {
  /**
   * Begins sign-ins in two tabs and completes the first one. `changes`: parameters of the request in the second tab.
   */
  async function signInInFirstTab(changes: Record<string, string> = {}) {
    const browser = application().openBrowser();
    const second = await beginSignIn(browser, portal, changes);
    const first = await signIn(browser);
    return { browser, first, second };
  }

  test('continues with its own state and the authentication of the session, without a password', async () => {
    const { browser, first, second } = await signInInFirstTab({ site: 'Harbor', max_age: '3600' });
    const before = readIdToken(await redeem(application(), first));
    application().clock.advanceSeconds(90);
    const { address } = await browser.follow(String(await locationOf(browser, second.returnUrl)));
    expect(address.href).toContain(portal.redirectUri);
    expect(address.searchParams.get('state')).toBe(second.state);
    const code = address.searchParams.get('code') ?? '';
    const after = readIdToken(await redeem(application(), { ...second, code }));
    expect(after).toMatchObject({ sub: before['sub'], auth_time: before['auth_time'], amr: before['amr'] });
    expect(await locationOf(browser, second.returnUrl)).toBe(home);
  });

  test.each<[string, Record<string, string>]>([
    ['prompt=login', { prompt: 'login' }],
    ['prompt=elevate', { prompt: 'elevate' }],
    ['prompt=change_password', { prompt: 'change_password' }],
    ['prompt=switch_site', { prompt: 'switch_site' }],
    ['prompt=switch_tenant', { prompt: 'switch_tenant' }],
    ['another site', { site: 'northwind' }],
    ['another user', { login_hint: newcomer.userName }],
    ['a user whom nobody knows', { login_hint: 'nobody@demo.example' }],
  ])('asks for authentication if the application requests %s', async (_what, changes) => {
    const { browser, second } = await signInInFirstTab(changes);
    expect(await locationOf(browser, second.returnUrl)).toBeUndefined();
    expect((await contextOf(browser, second.returnUrl)).status).toBe(200);
  });

  test('asks for authentication if the application names another user with an ID token', async () => {
    const hint = readTokenOf(await signIn(application().openBrowser(), {}, newcomer));
    const { browser, second } = await signInInFirstTab({ id_token_hint: await hint });
    expect(await locationOf(browser, second.returnUrl)).toBeUndefined();
  });

  test('asks for authentication if the session is older than max_age', async () => {
    const { browser, second } = await signInInFirstTab({ max_age: '60' });
    application().clock.advanceSeconds(62);
    expect(await locationOf(browser, second.returnUrl)).toBeUndefined();
  });

  test('asks for authentication if the visitor has entered another site, or another user has authenticated in the sign-in', async () => {
    const { browser, second } = await signInInFirstTab();
    expect(await locationOf(browser, second.returnUrl, { site: 'northwind' })).toBeUndefined();
    const other = await beginSignIn(application().openBrowser(), portal);
    expect(await locationOf(browser, other.returnUrl)).toBeUndefined();

    const shared = application().openBrowser();
    const waiting = await beginSignIn(shared, portal);
    const director = { site: 'harbor', userName: 'director@demo.example', password: demoPassword };
    expect((await sendPassword(shared, waiting, director)).json()['status']).toBe('second_factor_required');
    await signIn(shared);
    expect(await locationOf(shared, waiting.returnUrl)).toBeUndefined();
  });

  test('asks for authentication if the session is older than the sign-in, because the provider did not accept it', async () => {
    const { browser, second } = await signInInFirstTab();
    const { database, clock } = application().services;
    const later = new Date(clock.now().getTime() + 1000);
    await database.updateTable('sign_ins').set({ created_at: later }).execute();
    expect(await locationOf(browser, second.returnUrl)).toBeUndefined();
  });

  test('asks for authentication in every other browser, and after a sign-out in the first tab', async () => {
    const { browser, second } = await signInInFirstTab();
    const thief = application().openBrowser();
    await signIn(thief);
    expect((await contextOf(thief, second.returnUrl)).status).toBe(404);
    await browser.post('/api/ui/auth/sign-out', {});
    const answer = await contextOf(browser, second.returnUrl);
    expect([200, 404]).toContain(answer.status);
    expect(answer.json()).not.toHaveProperty('finishedLocation');
  });

  async function readTokenOf(signedIn: { code: string; codeVerifier: string }): Promise<string> {
    return String((await redeem(application(), signedIn)).json()['id_token']);
  }
});
