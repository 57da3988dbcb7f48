import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import type { FakeGateway } from '../../testing/fake-gateway.ts';
import { askUserInfo, followToApplication, redeem, secretary, signIn } from '../../testing/journeys.ts';
import { askForTokens, authorizeAddress, beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
const database = () => application().services.database;
const booksApi = 'https://books.example/api';
const api = { resource: booksApi, scope: 'openid offline_access books.read' };
const offline = { scope: 'openid offline_access' };
let listener: FakeGateway;

const run = (words: string, input?: string) =>
  createCommandLine(application().services, application().clock).run(words, input);

beforeAll(async () => {
  listener = await startFakeGateway();
  const { metadata } = await database()
    .selectFrom('clients')
    .select('metadata')
    .where('id', '=', portal.clientId)
    .executeTakeFirstOrThrow();
  const client = (id: string, more: object) => ({
    id,
    display_name: id,
    customizations: '{}',
    metadata: JSON.stringify(more),
    created_at: application().clock.now(),
  });
  const listening = { ...metadata, resources: [booksApi] };
  await database()
    .insertInto('clients')
    .values([
      client('one', { ...listening, backchannel_logout_uri: `${listener.url}/one` }),
      client('two', { ...listening, backchannel_logout_uri: `${listener.url}/two` }),
      client('books', { grant_types: [], resource: booksApi, resource_scopes: 'books.read' }),
    ])
    .execute();
});
afterAll(() => listener.close());
beforeEach(async () => {
  await run(`sessions end --user ${secretary.userName}`);
  await run('sites enable harbor');
  for (const site of ['harbor', 'northwind']) {
    await run(`members add ${secretary.userName} ${site}`);
    await run(`members enable ${secretary.userName} ${site}`);
  }
});

type Tokens = Record<string, unknown>;

/** Signs the browser in at harbor for a client. */
async function enter(browser: Browser, clientId: string, changes: Record<string, string>): Promise<Tokens> {
  const started = await signIn(browser, { client_id: clientId, ...changes });
  return (await redeem(application(), started, { client_id: clientId })).json();
}

/** Gets tokens for a further client of the session. */
async function enterSilently(browser: Browser, clientId: string, changes: Record<string, string>) {
  const request = authorizeAddress(portal, { client_id: clientId, ...changes });
  const { address } = await browser.follow(request.address);
  const code = address.searchParams.get('code') ?? '';
  return (await redeem(application(), { ...request, code }, { client_id: clientId })).json();
}

/** Takes the session to another site for a client. */
async function switchTo(browser: Browser, clientId: string, site: string): Promise<Tokens> {
  const changes = { client_id: clientId, prompt: 'switch_site', ...offline };
  const { returnUrl, codeVerifier } = await beginSignIn(browser, portal, changes);
  const chosen = await browser.post('/api/ui/auth/select-site', { returnUrl, site });
  const code = (await followToApplication(browser, chosen)).get('code') ?? '';
  return (await redeem(application(), { code, codeVerifier }, { client_id: clientId })).json();
}

async function refresh(clientId: string, tokens: Tokens, more: Record<string, string> = {}) {
  const form = { grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']), ...more };
  return await askForTokens(application().app, publicUrl, { ...portal, clientId }, form);
}

/** Runs a command. Returns the clients that it notified of a sign-out. */
async function notifiedBy(words: string): Promise<string[]> {
  listener.requests.length = 0;
  expect(await run(words)).toMatchObject({ code: 0, errors: '' });
  return listener.requests.map(({ path }) => path).toSorted();
}

const isSignedIn = async (browser: Browser) => (await browser.call('/api/ui/sites')).status === 200;

test.each(['remove', 'disable'])(
  'members %s ends the session at the site with its tokens, and notifies the applications [S23]',
  async (verb) => {
    const browser = application().openBrowser();
    const [one, two] = [await enter(browser, 'one', offline), await enterSilently(browser, 'two', api)];
    expect([one['refresh_token'], two['refresh_token']]).not.toContain(undefined);

    expect(await run(`members remove ${secretary.userName} harbor --dry-run`)).toMatchObject({
      output: expect.stringContaining('sessions: 1'),
    });
    expect(await isSignedIn(browser)).toBe(true);

    expect(await notifiedBy(`members ${verb} ${secretary.userName} harbor`)).toEqual(['/one', '/two']);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await askUserInfo(application(), one['access_token'])).status).toBe(401);
    expect((await refresh('one', one)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh('two', two, api)).json()).toMatchObject({ error: 'invalid_grant' });
    // nothing of it returns with the membership
    await run(`members add ${secretary.userName} harbor`);
    await run(`members enable ${secretary.userName} harbor`);
    expect((await refresh('two', two, api)).json()).toMatchObject({ error: 'invalid_grant' });
    const [ended] = (await run('audit list --event session.end --json')).json().slice(-1);
    expect(ended).toMatchObject({ site: 'harbor', reason: 'ended by an operator' });
  },
);

test.each([
  ['is at the other site', false],
  ['is at the site that ends', true],
])('a session that %s keeps what applications have at the other site', async (_where, isThere) => {
  const browser = application().openBrowser();
  const first = await enter(browser, 'one', offline);
  const other = await switchTo(browser, 'two', 'northwind');
  const again = isThere ? await switchTo(browser, 'one', 'harbor') : first;

  expect(await notifiedBy(`members remove ${secretary.userName} harbor`)).toEqual(['/one']);
  expect((await refresh('one', again)).json()).toMatchObject({ error: 'invalid_grant' });
  expect(await isSignedIn(browser)).toBe(true);
  const refreshed = await refresh('two', other);
  expect(refreshed.status, refreshed.text).toBe(200);
  const { returnUrl } = await beginSignIn(browser, portal, { client_id: 'one', prompt: 'switch_site' });
  const chosen = await browser.post('/api/ui/auth/select-site', { returnUrl, site: 'harbor' });
  expect(chosen.json()).not.toHaveProperty('location');

  expect(await notifiedBy(`members remove ${secretary.userName} northwind`)).toContain('/two');
  expect((await refresh('two', refreshed.json())).json()).toMatchObject({ error: 'invalid_grant' });
});

test('a disabled site notifies the applications of sessions that are at another site now [S23]', async () => {
  const browser = application().openBrowser();
  const one = await enter(browser, 'one', offline);
  await switchTo(browser, 'two', 'northwind');
  expect(await notifiedBy('sites disable harbor')).toEqual(['/one']);
  expect((await refresh('one', one)).json()).toMatchObject({ error: 'invalid_grant' });
  expect(await isSignedIn(browser)).toBe(true);
});

test('a removed user is signed out, and the applications are notified [S23]', async () => {
  await run('users add leaving --first-name Lea --last-name Ving');
  await run('users set-password leaving --password-stdin --no-must-change', secretary.password);
  await run('members add leaving harbor');
  const browser = application().openBrowser();
  const started = await signIn(
    browser,
    { client_id: 'one', ...offline },
    { ...secretary, userName: 'leaving' },
  );
  const tokens = (await redeem(application(), started, { client_id: 'one' })).json();
  expect(await notifiedBy('users remove leaving')).toEqual(['/one']);
  expect(await isSignedIn(browser)).toBe(false);
  expect((await refresh('one', tokens)).json()).toMatchObject({ error: 'invalid_grant' });
});

test('a refreshed API token asks the membership, also one that ended without an operator [S62]', async () => {
  const tokens = await enter(application().openBrowser(), 'two', api);
  const refreshed = await refresh('two', tokens, { resource: booksApi });
  expect(refreshed.status, refreshed.text).toBe(200);
  await database()
    .deleteFrom('memberships')
    .where('site_id', 'in', (sites) => sites.selectFrom('sites').select('id').where('name', '=', 'harbor'))
    .execute();
  const refused = await refresh('two', refreshed.json(), { resource: booksApi });
  expect(refused.json()).toMatchObject({ error: 'invalid_grant' });
});
