import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { portal, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { countStatements } from '../../testing/count-statements.ts';
import type { CountedDatabase } from '../../testing/count-statements.ts';
import { openTestDatabase } from '../../testing/describe-store.ts';
import { followToApplication, secretary, signIn } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';

let application: TestApplication;
let counted: CountedDatabase;
let closeDatabase: () => Promise<void>;

beforeAll(async () => {
  const { database, close } = await openTestDatabase();
  counted = countStatements(database);
  closeDatabase = close;
  application = await startApplication(counted.database);
});
afterAll(async () => {
  await application.close();
  await closeDatabase();
});
beforeEach(async () => {
  await setOwnSites(['harbor', 'northwind', 'northwind-audit', 'northwind-remuneration']);
  await counted.database.updateTable('users').set({ recent_sites_first: false }).execute();
});

/** Makes the secretary a member of exactly these sites, with none selected yet. */
async function setOwnSites(names: string[]): Promise<void> {
  const userId = await secretaryId();
  await counted.database.deleteFrom('memberships').where('user_id', '=', userId).execute();
  const sites = await counted.database.selectFrom('sites').select('id').where('name', 'in', names).execute();
  await counted.database
    .insertInto('memberships')
    .values(sites.map(({ id }) => ({ user_id: userId, site_id: id, created_at: new Date(0) })))
    .execute();
}

async function secretaryId(): Promise<string> {
  const row = await counted.database
    .selectFrom('users')
    .select('id')
    .where('user_name', '=', secretary.userName)
    .executeTakeFirstOrThrow();
  return row.id;
}

async function siteId(name: string): Promise<string> {
  const row = await counted.database
    .selectFrom('sites')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return row.id;
}

async function switchSite(browser: Browser): Promise<string> {
  return (await beginSignIn(browser, portal, { prompt: 'switch_site' })).returnUrl;
}

async function listOf(browser: Browser, returnUrl?: string): Promise<Record<string, unknown>> {
  return (await browser.call('/api/ui/sites', returnUrl === undefined ? {} : { returnUrl })).json();
}

async function choose(browser: Browser, site: string): Promise<void> {
  application.clock.advanceSeconds(1);
  const returnUrl = await switchSite(browser);
  await followToApplication(browser, await browser.post('/api/ui/auth/select-site', { returnUrl, site }));
}

async function signedIn(): Promise<Browser> {
  const browser = application.openBrowser();
  await signIn(browser);
  return browser;
}

describe('the list of sites', () => {
  test('needs one statement besides those for session and sign-in, for any number of sites [I27]', async () => {
    const browser = await signedIn();
    const returnUrl = await switchSite(browser);
    for (const names of [
      ['harbor'],
      ['harbor', 'northwind', 'northwind-audit', 'northwind-remuneration', 'summit'],
    ]) {
      await setOwnSites(names);
      counted.reset();
      expect((await listOf(browser, returnUrl))['sites']).not.toEqual([]);
      const tables = counted.statements().map((statement) => /from "(\w+)"/.exec(statement)?.[1]);
      expect(tables).toEqual(['sessions', 'sign_ins', 'memberships']);
    }
  });

  test('uses the role names of the application of the sign-in [I24]', async () => {
    const browser = await signedIn();
    const userId = await secretaryId();
    const harbor = await siteId('harbor');
    await counted.database
      .updateTable('memberships')
      .set({ client_entitlement: 'Member' })
      .where('user_id', '=', userId)
      .where('site_id', '=', harbor)
      .execute();
    await counted.database
      .insertInto('client_entitlements')
      .values({ user_id: userId, site_id: harbor, client_id: 'director', label: 'Chair' })
      .execute();
    const label = async (returnUrl?: string) =>
      ((await listOf(browser, returnUrl))['sites'] as { name: string; clientEntitlement: string }[]).find(
        ({ name }) => name === 'harbor',
      )?.clientEntitlement;
    expect(await label(await switchSite(browser))).toBe('Chair');
    expect(await label()).toBe('Member');
    // The sign-in of another browser is ignored.
    expect(await label(await switchSite(await signedIn()))).toBe('Member');
  });

  test('is refused for a user who has been disabled', async () => {
    const browser = await signedIn();
    const disable = (status: 'active' | 'disabled') =>
      counted.database
        .updateTable('users')
        .set({ status })
        .where('user_name', '=', secretary.userName)
        .execute();
    await disable('disabled');
    const answer = await browser.call('/api/ui/sites');
    expect([answer.status, answer.json()['code']]).toEqual([401, 'unauthorized']);
    await disable('active');
  });
});

describe('recent sites first', () => {
  test('is off by default; once enabled, the setting applies to the user in every browser', async () => {
    const browser = await signedIn();
    await choose(browser, 'northwind');
    const before = await listOf(browser);
    expect(before).toMatchObject({ recentSitesFirst: false });
    expect(before).not.toHaveProperty('recentSites');

    expect((await browser.post('/api/ui/preferences', { recentSitesFirst: true })).status).toBe(204);
    await choose(browser, 'northwind-audit');
    const elsewhere = await signedIn();
    expect(await listOf(elsewhere)).toMatchObject({
      recentSitesFirst: true,
      recentSites: ['northwind-audit', 'northwind'],
    });

    await elsewhere.post('/api/ui/preferences', { recentSitesFirst: false });
    expect(await listOf(browser)).not.toHaveProperty('recentSites');
  });

  test('a refused selection is not recorded', async () => {
    const browser = await signedIn();
    await browser.post('/api/ui/preferences', { recentSitesFirst: true });
    const returnUrl = await switchSite(browser);
    for (const site of ['corp', 'atlantis', 'summit'])
      await browser.post('/api/ui/auth/select-site', { returnUrl, site });
    expect((await listOf(browser))['recentSites']).toEqual([]);
  });

  test('a preference changes only with the user’s session, from our origin, and for that user', async () => {
    const browser = await signedIn();
    const wanted = { recentSitesFirst: true };
    const stranger = application.openBrowser();
    await stranger.call('/api/ui/logout-context');
    expect((await stranger.post('/api/ui/preferences', wanted)).status).toBe(401);
    expect((await browser.post('/api/ui/preferences', wanted, { 'x-xsrf-token': '' })).status).toBe(403);
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    expect((await browser.post('/api/ui/preferences', wanted, foreign)).status).toBe(403);
    expect((await browser.post('/api/ui/preferences', { ...wanted, userId: 'x' })).status).toBe(400);
    await browser.post('/api/ui/preferences', wanted);
    const rows = await counted.database
      .selectFrom('users')
      .select('user_name')
      .where('recent_sites_first', '=', true)
      .execute();
    expect(rows).toEqual([{ user_name: secretary.userName }]);
  });
});

describe('pinned sites', () => {
  const pin = (browser: Browser, site: string, isPinned: boolean) =>
    browser.post('/api/ui/pinned-sites', { site, isPinned });

  test('a pin applies to the user in every browser until it is taken away or the membership ends', async () => {
    const browser = await signedIn();
    expect(await listOf(browser)).toMatchObject({ pinnedSites: [] });
    for (const site of ['harbor', 'northwind-audit', 'harbor'])
      expect((await pin(browser, site, true)).status).toBe(204);
    const elsewhere = await signedIn();
    const pinned = async (): Promise<unknown[]> =>
      ((await listOf(elsewhere))['pinnedSites'] as string[]).toSorted();
    expect(await pinned()).toEqual(['harbor', 'northwind-audit']);
    await pin(elsewhere, 'northwind-audit', false);
    expect(await pinned()).toEqual(['harbor']);
    await setOwnSites(['northwind']);
    expect(await pinned()).toEqual([]);
  });

  test('a pin changes the list of no other user', async () => {
    await pin(await signedIn(), 'harbor', true);
    const rows = await counted.database
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select('user_name')
      .where('pinned', '=', true)
      .execute();
    expect(rows).toEqual([{ user_name: secretary.userName }]);
  });
});

describe('sites of other users [S62]', () => {
  test('get the same responses as sites that do not exist, for the same work [I23]', async () => {
    const browser = await signedIn();
    const returnUrl = await switchSite(browser);
    const asked = async (work: () => Promise<{ status: number; text: string }>) => {
      counted.reset();
      const { status, text } = await work();
      return { status, text, statements: counted.statements() };
    };
    const asks = [
      (site: string) => browser.call(`/api/ui/sites/${site}/todo`),
      (site: string) => browser.post('/api/ui/auth/select-site', { returnUrl, site }),
      (site: string) => browser.post('/api/ui/pinned-sites', { site, isPinned: true }),
    ];
    for (const ask of asks) {
      const [foreign, unknown] = [await asked(() => ask('corp')), await asked(() => ask('atlantis'))];
      expect(foreign.status).toBe(404);
      expect(foreign).toEqual(unknown);
    }
  });

  test('a site is inaccessible as soon as the membership ends [I23]', async () => {
    const browser = await signedIn();
    expect((await browser.call('/api/ui/sites/northwind/todo')).status).toBe(200);
    await setOwnSites(['harbor']);
    expect((await browser.call('/api/ui/sites/northwind/todo')).status).toBe(404);
    const returnUrl = await switchSite(browser);
    const answer = await browser.post('/api/ui/auth/select-site', { returnUrl, site: 'northwind' });
    expect(answer.status).toBe(404);
    expect(JSON.stringify(await listOf(browser, returnUrl))).not.toContain('northwind');
  });

  test('a parent without membership is the header of a group and cannot be entered', async () => {
    await setOwnSites(['harbor', 'northwind-audit']);
    const browser = await signedIn();
    const returnUrl = await switchSite(browser);
    const sites = (await listOf(browser, returnUrl))['sites'] as { name: string; sites?: unknown[] }[];
    expect(sites.find(({ name }) => name === 'northwind')?.sites).toMatchObject([
      { name: 'northwind-audit' },
    ]);
    expect((await browser.post('/api/ui/auth/select-site', { returnUrl, site: 'northwind' })).status).toBe(
      404,
    );
    expect((await browser.call('/api/ui/sites/northwind/todo')).status).toBe(404);
  });

  test('a disabled site does not exist for its members either', async () => {
    const browser = await signedIn();
    const disable = (disabled_at: Date | null) =>
      counted.database.updateTable('sites').set({ disabled_at }).where('name', '=', 'northwind').execute();
    await disable(application.clock.now());
    const returnUrl = await switchSite(browser);
    expect((await browser.call('/api/ui/sites/northwind/todo')).status).toBe(404);
    expect((await browser.post('/api/ui/auth/select-site', { returnUrl, site: 'northwind' })).status).toBe(
      404,
    );
    expect((await browser.post('/api/ui/pinned-sites', { site: 'northwind', isPinned: true })).status).toBe(
      404,
    );
    expect(JSON.stringify(await listOf(browser, returnUrl))).not.toContain('"name":"northwind"');
    await disable(null);
  });
});
