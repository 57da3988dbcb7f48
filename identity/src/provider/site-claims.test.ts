import { beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import {
  askUserInfo,
  followToApplication,
  readIdToken,
  redeem,
  secretary,
  sendPassword,
  signIn,
} from '../../testing/journeys.ts';
import { askForTokens, authorizeAddress, beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication();
const database = () => application().services.database;

beforeEach(async () => {
  await database().deleteFrom('limits').execute();
  await belongTo(['harbor', 'northwind', 'northwind-audit']);
});

/** Makes the secretary a member of only these sites. */
async function belongTo(names: string[]): Promise<void> {
  const { id } = await database()
    .selectFrom('users')
    .select('id')
    .where('user_name', '=', secretary.userName)
    .executeTakeFirstOrThrow();
  await database().deleteFrom('memberships').where('user_id', '=', id).execute();
  const sites = await database().selectFrom('sites').select('id').where('name', 'in', names).execute();
  const now = application().clock.now();
  await database()
    .insertInto('memberships')
    .values(sites.map((site) => ({ user_id: id, site_id: site.id, created_at: now })))
    .execute();
}

type Started = Awaited<ReturnType<typeof beginSignIn>>;

async function tokensOf(browser: Browser, started: Started, answer: Answer): Promise<Answer> {
  const response = await followToApplication(browser, answer);
  return await redeem(application(), { ...started, code: response.get('code') ?? '' });
}

async function switchTo(
  browser: Browser,
  site: string,
  changes: Record<string, string> = {},
): Promise<Answer> {
  const started = await beginSignIn(browser, portal, { prompt: 'switch_site', ...changes });
  const { returnUrl } = started;
  return await tokensOf(
    browser,
    started,
    await browser.post('/api/ui/auth/select-site', { returnUrl, site }),
  );
}

/** The site claims of the ID token, which must be the same at userinfo. */
async function siteOf(tokens: Answer): Promise<unknown[]> {
  const claims = readIdToken(tokens);
  const { claims: info } = await askUserInfo(application(), tokens.json()['access_token']);
  for (const name of ['sub', 'site', 'site_name', 'parent_site']) expect(info[name]).toBe(claims[name]);
  return [claims['site'], claims['site_name'], claims['parent_site']];
}

describe('tokens are for the selected site', () => {
  const harbor = ['harbor', 'Harbor Trust', undefined];
  const audit = ['northwind-audit', 'Northwind Audit Committee', 'northwind'];

  test('requested by the application', async () => {
    expect(await siteOf(await redeem(application(), await signIn(application().openBrowser())))).toEqual(
      harbor,
    );
  });

  test('selected after the password', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const { site: _none, ...credentials } = secretary;
    expect((await sendPassword(browser, started, credentials)).json()).toEqual({
      status: 'select_site_required',
    });
    const { returnUrl } = started;
    const answer = await browser.post('/api/ui/auth/select-site', { returnUrl, site: 'northwind-audit' });
    expect(await siteOf(await tokensOf(browser, started, answer))).toEqual(audit);
  });

  test('switched to, and back: tokens for a child site name its parent, those for a parent site name none [I20]', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    expect(await siteOf(await switchTo(browser, 'northwind-audit'))).toEqual(audit);
    expect((await siteOf(await switchTo(browser, 'northwind')))[2]).toBeUndefined();
    expect(await siteOf(await switchTo(browser, 'harbor'))).toEqual(harbor);
  });

  test('switch_tenant: another site by name, with the password of one of its users [I20]', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    const started = await beginSignIn(browser, portal, { prompt: 'switch_tenant' });
    const answer = await sendPassword(browser, started, { ...secretary, site: 'northwind-audit' });
    expect(await siteOf(await tokensOf(browser, started, answer))).toEqual(audit);
  });

  test('switch_tenant to a site without membership gets the response of a wrong password [S62]', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    const started = await beginSignIn(browser, portal, { prompt: 'switch_tenant' });
    const foreign = await sendPassword(browser, started, { ...secretary, site: 'summit' });
    const wrong = await sendPassword(browser, started, { ...secretary, password: 'wrong' });
    expect(foreign.status).toBe(401);
    expect([foreign.status, foreign.text]).toEqual([wrong.status, wrong.text]);
  });
});

describe('the `site` parameter proposes a site, and the `site` claim names the site that was entered', () => {
  const { site: _none, ...credentials } = secretary;
  const claimOf = async (tokens: Promise<Answer>) => (await siteOf(await tokens))[0];

  /** Requests with prompt=none and returns the site of the tokens. */
  async function askSilently(browser: Browser, changes: Record<string, string>) {
    const { address, codeVerifier } = authorizeAddress(portal, changes);
    const { address: back } = await browser.follow(address);
    const code = back.searchParams.get('code') ?? '';
    return await claimOf(redeem(application(), { code, codeVerifier }));
  }

  /** Requests `northwind-audit` with a password; the user enters `site`, or none. */
  async function askWithPassword(browser: Browser, changes: Record<string, string>, site?: string) {
    const started = await beginSignIn(browser, portal, { site: 'northwind-audit', ...changes });
    const answer = await sendPassword(browser, started, {
      ...credentials,
      ...(site !== undefined && { site }),
    });
    return await claimOf(tokensOf(browser, started, answer));
  }

  test('without a session, the user enters the proposed site unless they name another', async () => {
    expect(await askWithPassword(application().openBrowser(), {})).toBe('northwind-audit');
    expect(await askWithPassword(application().openBrowser(), {}, 'harbor')).toBe('harbor');
  });

  test.each<Record<string, string>>([{}, { prompt: 'none' }])(
    'with a session for another site the tokens are for the session’s site: %j',
    async (changes) => {
      const browser = application().openBrowser();
      await signIn(browser);
      for (const site of ['northwind-audit', 'summit', 'nowhere'])
        expect(await askSilently(browser, { site, ...changes })).toBe('harbor');
    },
  );

  test('elevate keeps the session’s site', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    expect(await askWithPassword(browser, { prompt: 'elevate' })).toBe('harbor');
  });

  test.each(['login', 'switch_tenant'])('prompt=%s enters the site with the password', async (prompt) => {
    const browser = application().openBrowser();
    await signIn(browser);
    expect(await askWithPassword(browser, { prompt })).toBe('northwind-audit');
    expect(await askWithPassword(browser, { prompt }, 'harbor')).toBe('harbor');
  });

  test('switch_site lets the user choose any of their sites', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    expect(await claimOf(switchTo(browser, 'northwind', { site: 'northwind-audit' }))).toBe('northwind');
  });
});

describe('a user who can no longer enter a site gets no token for it [S62]', () => {
  const offline = { scope: 'openid offline_access', prompt: 'switch_site consent' };
  const refresh = (token: unknown) =>
    askForTokens(application().app, publicUrl, portal, {
      grant_type: 'refresh_token',
      refresh_token: String(token),
    });
  const disable = (disabled_at: Date | null) =>
    database().updateTable('sites').set({ disabled_at }).where('name', '=', 'northwind-audit').execute();
  const entitle = (met: boolean) =>
    database().updateTable('memberships').set({ entitlement_requirements_met: met }).execute();

  test.each([
    [
      'the membership ended',
      () => belongTo(['harbor', 'northwind']),
      () => belongTo(['harbor', 'northwind']),
    ],
    ['the entitlement ended', () => entitle(false), () => entitle(true)],
    ['the site was disabled', () => disable(new Date()), () => disable(null)],
  ])(
    '%s: no code, no refresh, no userinfo; the next sign-in asks for another site [I23]',
    async (_what, end, undo) => {
      const browser = application().openBrowser();
      await signIn(browser);
      const tokens = (await switchTo(browser, 'northwind-audit', offline)).json();
      expect(tokens['refresh_token']).toBeDefined();
      const silent = await beginCode(browser);

      await end();
      expect((await redeem(application(), silent)).json()).toMatchObject({ error: 'invalid_grant' });
      expect((await refresh(tokens['refresh_token'])).json()).toMatchObject({ error: 'invalid_grant' });
      expect((await askUserInfo(application(), tokens['access_token'])).status).toBe(401);

      await undo();
      const { returnUrl } = await beginSignIn(browser, portal);
      const context = (await browser.call('/api/ui/auth-context', { returnUrl })).json();
      expect(context).toMatchObject({ selectSite: true, session: { state: 'valid' } });
    },
  );

  /** Gets an authorization code through the session, without redeeming it. */
  async function beginCode(browser: Browser): Promise<{ code: string; codeVerifier: string }> {
    const request = authorizeAddress(portal, { prompt: 'none' });
    const { address } = await browser.follow(request.address);
    return { code: address.searchParams.get('code') ?? '', codeVerifier: request.codeVerifier };
  }
});
