import { beforeEach, describe, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { secretary, sendPassword } from '../../testing/journeys.ts';
import { call, knowing, optionsOf, usePasskeyVisits } from '../../testing/passkey-visits.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import type { RelyingParty } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication({ settings: { PASSKEY_RP_ID: 'localhost' } });
const { latest, signInWithCode, enrol } = usePasskeyVisits(application);

const cookieName = 'anteroom_accounts';
const newcomer = { ...secretary, userName: 'newcomer@demo.example' };
const director = { site: 'northwind', userName: 'director@demo.example' };
const quiet: RelyingParty = { clientId: 'quiet', redirectUri: 'http://localhost:4490/callback' };

beforeEach(async () => {
  const { database } = application().services;
  await database.updateTable('credentials').set({ must_change: false }).execute();
  await database.updateTable('sites').set({ remember_accounts: true }).execute();
});

type Offered = { id: string; userName: string; site: string };

/** What the page of a new sign-in offers to a browser whose sessions have ended. */
async function offeredTo(
  browser: Browser,
  { party = portal, changes = {} }: { party?: RelyingParty; changes?: Record<string, string> } = {},
): Promise<Offered[] | undefined> {
  browser.cookies.delete('anteroom_session');
  browser.cookies.delete('anteroom_provider');
  const { returnUrl } = await beginSignIn(browser, party, changes);
  const context = (await browser.call('/api/ui/auth-context', { returnUrl })).json();
  return context['rememberedAccounts'] as Offered[] | undefined;
}

async function signIn(browser: Browser, credentials = secretary, party = portal): Promise<void> {
  browser.cookies.delete('anteroom_session');
  browser.cookies.delete('anteroom_provider');
  const answer = await sendPassword(browser, await beginSignIn(browser, party), credentials);
  expect(answer.json()['status'], answer.text).toBe('redirect');
}

async function openUsedBrowser(...users: (typeof secretary)[]): Promise<Browser> {
  const browser = application().openBrowser();
  for (const user of users) await signIn(browser, user);
  return browser;
}

/** Signs the director in with a password and a code, also on a computer that needs no code. */
async function signInDirector(browser: Browser, more: object = {}): Promise<void> {
  application().clock.advanceSeconds(60);
  for (const name of ['anteroom_session', 'anteroom_provider', 'anteroom_device'])
    browser.cookies.delete(name);
  const { returnUrl } = await beginSignIn(browser, portal);
  await browser.post('/api/ui/authenticate', { returnUrl, ...director, password: secretary.password });
  const code = /\b\d{6}\b/.exec(await latest('sms'))?.[0];
  const answer = await browser.post('/api/ui/verify-mfa-code', { returnUrl, code, ...more });
  expect(answer.json()['status'], answer.text).toBe('redirect');
}

const userNames = (accounts: Offered[] | undefined) => accounts?.map(({ userName }) => userName);

describe('a browser', () => {
  test('is offered the accounts that have signed in with it, the latest first, with names that only this browser gets', async () => {
    const browser = await openUsedBrowser(secretary, newcomer);
    expect(await offeredTo(browser)).toEqual([
      expect.objectContaining({
        userName: newcomer.userName,
        site: 'harbor',
        siteDisplayName: 'Harbor Trust',
      }),
      expect.objectContaining({
        userName: secretary.userName,
        name: expect.stringMatching(/\w \w/) as string,
      }),
    ]);
    expect(await offeredTo(application().openBrowser())).toBeUndefined();
  });

  test('has each account once', async () => {
    const browser = await openUsedBrowser(secretary, newcomer, secretary);
    expect(userNames(await offeredTo(browser))).toEqual([secretary.userName, newcomer.userName]);
  });

  test('is offered at most three accounts', async () => {
    const { database } = application().services;
    const { id: userId } = await database
      .selectFrom('users')
      .select('id')
      .where('user_name', '=', secretary.userName)
      .executeTakeFirstOrThrow();
    const names = ['first', 'second', 'third', 'fourth'];
    const created_at = new Date();
    await database
      .insertInto('sites')
      .values(names.map((name) => ({ id: name, name, display_name: name, created_at })))
      .execute();
    await database
      .insertInto('memberships')
      .values(names.map((site_id) => ({ user_id: userId, site_id, created_at })))
      .execute();
    const browser = application().openBrowser();
    for (const site of names) await signIn(browser, { ...secretary, site });
    const offered = await offeredTo(browser);
    expect(offered?.map(({ site }) => site)).toEqual(['fourth', 'third', 'second']);
  });

  test('keeps the accounts in one encrypted cookie that scripts cannot read, without any name', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const { cookies } = await sendPassword(browser, started);
    const line = cookies.find((one) => one.startsWith(`${cookieName}=`)) ?? '';
    expect(line).toMatch(/; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/);
    const value = /=([^;]*)/.exec(line)?.[1] ?? '';
    for (const decoded of [value, Buffer.from(value, 'base64url').toString('latin1')])
      for (const secret of ['secretary', 'harbor', 'userId']) expect(decoded).not.toContain(secret);
  });

  test.each([
    ['a changed', (value: string) => `${value.slice(0, -2)}AA`],
    ['an invented', () => Buffer.from('[{"id":"a","userId":"b"}]').toString('base64url')],
    ['an empty', () => ''],
  ])('with %s cookie is offered nothing', async (_, forge) => {
    const browser = await openUsedBrowser(secretary);
    const cookie = browser.cookies.get(cookieName);
    if (cookie !== undefined) browser.cookies.set(cookieName, { ...cookie, value: forge(cookie.value) });
    expect(await offeredTo(browser)).toBeUndefined();
  });

  test('forgets one account on request', async () => {
    const browser = await openUsedBrowser(secretary, newcomer);
    const [first] = (await offeredTo(browser)) ?? [];
    const path = '/api/ui/remembered-accounts/forget';
    expect((await browser.post(path, { id: 'unknown' })).status).toBe(204);
    expect((await browser.post(path, { id: first?.id })).status).toBe(204);
    expect(userNames(await offeredTo(browser))).toEqual([secretary.userName]);
  });

  test('forgets an account after 90 days without a sign-in', async () => {
    const browser = await openUsedBrowser(secretary);
    application().clock.advanceSeconds(90 * 24 * 60 * 60 - 60);
    expect(await offeredTo(browser)).toHaveLength(1);
    application().clock.advanceSeconds(120);
    expect(await offeredTo(browser)).toBeUndefined();
  });
});

describe('no account is offered', () => {
  test.each([
    ['names the user', { login_hint: secretary.userName }],
    ['requests another site', { site: 'northwind' }],
    ['requests a prompt', { prompt: 'switch_tenant' }],
  ])('if the application %s', async (_, changes) => {
    expect(await offeredTo(await openUsedBrowser(secretary), { changes })).toBeUndefined();
  });

  test('to the page of another region', async () => {
    const browser = await openUsedBrowser(secretary);
    browser.cookies.delete('anteroom_session');
    const { returnUrl } = await beginSignIn(browser, portal);
    const address = `/api/ui/auth-context?${new URLSearchParams({ returnUrl }).toString()}`;
    const headers = { origin: 'https://eu.id.example' };
    const context = (await browser.send({ method: 'GET', address, headers })).json();
    expect(context).not.toHaveProperty('rememberedAccounts');
  });

  test('in the context of a session', async () => {
    const browser = await openUsedBrowser(secretary);
    const { returnUrl } = await beginSignIn(browser, portal, { prompt: 'elevate' });
    const context = (await browser.call('/api/ui/auth-context', { returnUrl })).json();
    expect(context).toMatchObject({ session: { state: 'valid' } });
    expect(context).not.toHaveProperty('rememberedAccounts');
  });

  test('once its password has changed, its membership has ended, or the site forbids it', async () => {
    const { database } = application().services;
    const browser = await openUsedBrowser(secretary);
    const user = database.selectFrom('users').select('id').where('user_name', '=', secretary.userName);
    const version = (change: number) =>
      database
        .updateTable('users')
        .set((eb) => ({ security_version: eb('security_version', '+', change) }))
        .where('user_name', '=', secretary.userName)
        .execute();
    await version(1);
    expect(await offeredTo(browser)).toBeUndefined();
    await version(-1);
    const membership = await database
      .deleteFrom('memberships')
      .where('user_id', '=', user)
      .returningAll()
      .execute();
    expect(await offeredTo(browser)).toBeUndefined();
    await database.insertInto('memberships').values(membership).execute();
    expect(await offeredTo(browser)).toHaveLength(1);
    await database.updateTable('sites').set({ remember_accounts: false }).execute();
    expect(await offeredTo(browser)).toBeUndefined();
  });
});

describe('no account is remembered', () => {
  test('unless the client switches it on, and such a client offers none either', async () => {
    const metadata = { redirect_uris: [quiet.redirectUri], token_endpoint_auth_method: 'none' };
    await addClients(application().services.database, { [quiet.clientId]: metadata });
    const browser = application().openBrowser();
    await signIn(browser, secretary, quiet);
    expect(await offeredTo(browser)).toBeUndefined();
    await signIn(browser);
    expect(await offeredTo(browser, { party: quiet })).toBeUndefined();
  });

  test('at a site that forbids it', async () => {
    const { database } = application().services;
    await database
      .updateTable('sites')
      .set({ remember_accounts: false })
      .where('name', '=', 'harbor')
      .execute();
    const browser = await openUsedBrowser(secretary);
    await database.updateTable('sites').set({ remember_accounts: true }).execute();
    expect(await offeredTo(browser)).toBeUndefined();
  });

  test('on a public computer, which also forgets an earlier sign-in of this user', async () => {
    const browser = await openUsedBrowser(secretary);
    await signInDirector(browser);
    expect(userNames(await offeredTo(browser))).toEqual([director.userName, secretary.userName]);
    await signInDirector(browser, { publicComputerSignIn: true });
    expect(userNames(await offeredTo(browser))).toEqual([secretary.userName]);
  });

  test('by a later proof in the session of a public computer', async () => {
    const { browser, answer } = await signInWithCode({ publicComputerSignIn: true });
    await browser.follow(String(answer.json()['location']));
    const again = await beginSignIn(browser, portal, { prompt: 'elevate' });
    const body = { returnUrl: again.returnUrl, ...director, password: secretary.password };
    const confirmed = await browser.post('/api/ui/authenticate', body, knowing);
    expect(confirmed.status, confirmed.text).toBe(200);
    expect(await offeredTo(browser)).toBeUndefined();
  });

  test.each([
    ['platform', [director.userName]],
    ['cross-platform', undefined],
  ])('with a passkey of another device: %s', async (authenticatorAttachment, expected) => {
    const { passkey } = await enrol();
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const options = optionsOf(await call(browser, 'sign-in-options', { returnUrl }));
    const credential = { ...passkey.get(options), authenticatorAttachment };
    const answer = await call(browser, 'sign-in', { returnUrl, site: director.site, credential });
    expect(answer.json()['status'], answer.text).toBe('redirect');
    expect(userNames(await offeredTo(browser))).toEqual(expected);
  });
});
