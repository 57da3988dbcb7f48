import { beforeEach, describe, expect, test } from 'vitest';
import { addPerson } from '../../testing/add-person.ts';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { readIdToken, redeem, sendPassword, signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { pruneSignIns } from '../sign-ins/sign-ins-store.ts';
import { demoPassword } from '../demo/demo-data.ts';

const application = useApplication();
const home = 'http://localhost:4401/';
const newcomer = { site: 'harbor', userName: 'newcomer@demo.example', password: demoPassword };

beforeEach(async () => {
  const { database } = application().services;
  await database.deleteFrom('limits').execute();
  // without the forced change of the demo's newcomer
  await database.updateTable('credentials').set({ must_change: false }).execute();
});

const contextOf = (browser: Browser, returnUrl: string, query: Record<string, string> = {}) =>
  browser.call('/api/ui/auth-context', { returnUrl, ...query });
const locationOf = async (browser: Browser, returnUrl: string, query: Record<string, string> = {}) =>
  (await contextOf(browser, returnUrl, query)).json()['finishedLocation'];

describe('the page of a sign-in that has been completed', () => {
  test('leads to the registered start page of the client, whatever its address says', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await signIn(browser);
    const forged = new URL(returnUrl, publicUrl);
    for (const name of ['client_id', 'redirect_uri', 'finishedLocation'])
      forged.searchParams.set(name, 'https://evil.test/');
    for (const address of [returnUrl, `${forged.pathname}${forged.search}`])
      expect(await locationOf(browser, address)).toBe(home);
    // the rest of the answer stays true for a page that does not know the member
    expect((await contextOf(browser, returnUrl)).json()).toMatchObject({
      returnUrl,
      clientId: 'director',
      session: { state: 'valid', authSite: 'harbor' },
    });
  });

  test('leads there also when the session has expired, and nothing can be proved in it any more', async () => {
    const browser = application().openBrowser();
    const started = await signIn(browser);
    application().clock.advanceSeconds(30 * 60);
    expect(await locationOf(browser, started.returnUrl)).toBe(home);
    expect((await sendPassword(browser, started)).status).toBe(404);
    expect((await browser.call('/api/ui/auth/retry')).json()).toEqual({ retry: false });
    application().clock.advanceSeconds(12 * 60 * 60);
    expect((await contextOf(browser, started.returnUrl)).status).toBe(404);
  });

  test('leads on to the client as long as the browser has not followed it', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const { location } = (await sendPassword(browser, started)).json();
    expect(await locationOf(browser, started.returnUrl)).toBe(location);
    const { address } = await browser.follow(String(location));
    expect(address.searchParams.get('state')).toBe(started.state);
    expect(await locationOf(browser, started.returnUrl)).toBe(home);
  });

  test('finds nothing in another browser, whether signed in or not', async () => {
    const { returnUrl } = await signIn(application().openBrowser());
    const [stranger, other] = [application().openBrowser(), application().openBrowser()];
    await signIn(other, {}, newcomer);
    for (const browser of [stranger, other]) {
      const answer = await contextOf(browser, returnUrl);
      expect([answer.status, answer.json()]).toEqual([404, { code: 'not_found' }]);
    }
  });

  test('finds nothing after the sign-out', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await signIn(browser);
    await browser.post('/api/ui/auth/sign-out', {});
    expect((await contextOf(browser, returnUrl)).status).toBe(404);
  });

  test('leads to the address at which the client begins a sign-in when it has no start page', async () => {
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
  /** A sign-in that expires in a tab while the visitor keeps their session in another one. */
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

  test('leads a visitor who is signed in to the start page, as long as the session lives', async () => {
    const { browser, returnUrl } = await leaveOpen();
    expect(await locationOf(browser, returnUrl)).toBe(home);
    application().clock.advanceSeconds(30 * 60);
    expect((await contextOf(browser, returnUrl)).status).toBe(404);
  });

  test('finds nothing for another user, in another browser, or after the sign-out', async () => {
    const { browser, returnUrl } = await leaveOpen();
    const other = application().openBrowser();
    await signIn(other);
    expect((await contextOf(other, returnUrl)).status).toBe(404);
    const { database, clock } = application().services;
    const uid = /authorize\/([^?]+)/.exec(returnUrl)?.[1] ?? '';
    const setPerson = (person_id: string | null) =>
      database.updateTable('sign_ins').set({ person_id }).where('uid', '=', uid).execute();
    await setPerson(await addPerson(database, clock.now()));
    expect((await contextOf(browser, returnUrl)).status).toBe(404);
    await setPerson(null);
    expect(await locationOf(browser, returnUrl)).toBe(home);
    await browser.post('/api/ui/auth/sign-out', {});
    expect((await contextOf(browser, returnUrl)).status).toBe(404);
  });
});

describe('a sign-in that waits in a second tab while the visitor signs in in the first', () => {
  /** Both tabs set out, then the first signs in; the second one's sign-in asked for `changes`. */
  async function signInInFirstTab(changes: Record<string, string> = {}) {
    const browser = application().openBrowser();
    const second = await beginSignIn(browser, portal, changes);
    const first = await signIn(browser);
    return { browser, first, second };
  }

  test('goes on with its own state and the session’s proof, without a password', async () => {
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
  ])('asks when %s is wanted', async (_what, changes) => {
    const { browser, second } = await signInInFirstTab(changes);
    expect(await locationOf(browser, second.returnUrl)).toBeUndefined();
    expect((await contextOf(browser, second.returnUrl)).status).toBe(200);
  });

  test('asks when the application names another user with an ID token', async () => {
    const hint = readTokenOf(await signIn(application().openBrowser(), {}, newcomer));
    const { browser, second } = await signInInFirstTab({ id_token_hint: await hint });
    expect(await locationOf(browser, second.returnUrl)).toBeUndefined();
  });

  test('asks when max_age is over', async () => {
    const { browser, second } = await signInInFirstTab({ max_age: '60' });
    application().clock.advanceSeconds(62);
    expect(await locationOf(browser, second.returnUrl)).toBeUndefined();
  });

  test('asks when the visitor has named another site since, or given another user’s password', async () => {
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

  test('asks when the session is older than the sign-in: the provider has not been satisfied with it', async () => {
    const { browser, second } = await signInInFirstTab();
    const { database, clock } = application().services;
    const later = new Date(clock.now().getTime() + 1000);
    await database.updateTable('sign_ins').set({ created_at: later }).execute();
    expect(await locationOf(browser, second.returnUrl)).toBeUndefined();
  });

  test('asks in every other browser, and after the first tab has signed out', async () => {
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
