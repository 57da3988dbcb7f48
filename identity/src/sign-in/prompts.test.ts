import { beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import {
  askUserInfo,
  followToApplication,
  obtainTokens,
  readIdToken,
  redeem,
  secretary,
  sendPassword,
  signIn,
} from '../../testing/journeys.ts';
import { authorizeAddress, beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';
import { demoPassword } from '../demo/demo-data.ts';

const application = useApplication();

/** A member of three sites that require no second factor. */
const chair = { site: 'harbor', userName: 'chair@demo.example', password: demoPassword };

beforeEach(async () => {
  const { database } = application().services;
  await database.deleteFrom('limits').execute();
  const now = application().clock.now();
  const { password_hash } = await database
    .selectFrom('credentials')
    .select('password_hash')
    .limit(1)
    .executeTakeFirstOrThrow();
  await database
    .insertInto('users')
    .values({
      id: 'chair',
      user_name: chair.userName,
      first_name: 'Cha',
      last_name: 'Ir',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database
    .insertInto('sign_in_names')
    .values({ name_key: chair.userName, user_id: 'chair' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database
    .insertInto('credentials')
    .values({ user_id: 'chair', password_hash, changed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const sites = await database.selectFrom('sites').select(['id', 'name']).execute();
  for (const { id, name } of sites.filter(({ name }) => !['corp'].includes(name))) {
    await database
      .insertInto('memberships')
      .values({
        user_id: 'chair',
        site_id: id,
        entitlement_requirements_met: name !== 'northwind-remuneration',
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
});

const contextOf = async (browser: Browser, returnUrl: string, query: Record<string, string> = {}) =>
  (await browser.call('/api/ui/auth-context', { returnUrl, ...query })).json();
const select = (browser: Browser, returnUrl: string, site: string) =>
  browser.post('/api/ui/auth/select-site', { returnUrl, site });

describe('the context of a sign-in', () => {
  test('asks without a session for the site, then for name and password', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal, { login_hint: 'ada' });
    const context = await contextOf(browser, returnUrl);
    expect(context).toMatchObject({
      selectSite: false,
      allowDefaultSiteEntry: true,
      allowUserNameEntry: true,
      allowPasswordEntry: true,
      reauthRequested: false,
      loginHint: 'ada',
      clientId: 'director',
      returnUrl,
      cancelRedirectUri: 'http://localhost:4401/cancelled',
      originalClientUri: 'http://localhost:4401/',
      siteRecoveryClientUri: `${publicUrl}/ui/recovery/forgotten-site`,
      session: { state: 'none', isExternallyAuthenticated: false },
    });
    for (const absent of ['defaultSite', 'identityServiceUrl', 'userName', 'promptMethod'])
      expect(context[absent], absent).toBeUndefined();
  });

  test('contains the site that the browser remembers or the application names', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    expect(await contextOf(browser, returnUrl, { site: 'Harbor' })).toMatchObject({
      defaultSite: 'harbor',
      identityServiceUrl: publicUrl,
    });
    expect(await contextOf(browser, returnUrl, { site: 'atlantis' })).not.toHaveProperty('defaultSite');
    const named = await beginSignIn(browser, portal, { site: 'summit' });
    expect(await contextOf(browser, named.returnUrl, { site: 'harbor' })).toMatchObject({
      defaultSite: 'summit',
      allowDefaultSiteEntry: false,
    });
  });

  test('reports an expired session once', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    application().clock.advanceSeconds(30 * 60);
    const request = await browser.follow(
      `/connect/authorize?${new URLSearchParams({ ...(await freshParameters()) }).toString()}`,
    );
    const returnUrl = request.address.searchParams.get('ReturnUrl') ?? '';
    expect(await contextOf(browser, returnUrl)).toMatchObject({ session: { state: 'expired' } });
    expect(await contextOf(browser, returnUrl)).toMatchObject({ session: { state: 'none' } });
  });

  async function freshParameters(): Promise<Record<string, string>> {
    const { returnUrl } = await beginSignIn(application().openBrowser(), portal);
    return Object.fromEntries(new URL(returnUrl, publicUrl).searchParams);
  }
});

describe('prompt=login and max_age', () => {
  test.each([{ prompt: 'login' }, { max_age: '0' }])(
    '%o: the user is known, and the password is requested',
    async (changes) => {
      const browser = application().openBrowser();
      const before = readIdToken(await redeem(application(), await signIn(browser)));
      application().clock.advanceSeconds(5);
      const started = await beginSignIn(browser, portal, changes);
      expect(await contextOf(browser, started.returnUrl)).toMatchObject({
        reauthRequested: true,
        userName: secretary.userName,
        allowUserNameEntry: false,
        session: { state: 'valid', authSite: 'harbor' },
      });
      const after = readIdToken(
        await obtainTokens(
          application(),
          browser,
          started,
          await sendPassword(browser, started, { password: demoPassword }),
        ),
      );
      expect(after['sub']).toBe(before['sub']);
      expect(Number(after['auth_time'])).toBe(Number(before['auth_time']) + 5);
    },
  );

  test('refuses another user, and a valid session alone is not sufficient', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    const started = await beginSignIn(browser, portal, { prompt: 'login' });
    const other = await sendPassword(browser, started, { ...chair, password: 'wrong' });
    expect(other.json()).toMatchObject({ code: 'invalid_credentials' });
    expect((await select(browser, started.returnUrl, 'harbor')).json()).toEqual({
      status: 'credentials_required',
    });
  });
});

describe('a request for another user (id_token_hint)', () => {
  test('gets the user who signs in next, and the previous user’s session ends', async () => {
    const browser = application().openBrowser();
    const hint = (await redeem(application(), await signIn(application().openBrowser(), {}, chair))).json()[
      'id_token'
    ];
    const before = (await redeem(application(), await signIn(browser))).json();
    const started = await beginSignIn(browser, portal, { id_token_hint: String(hint) });
    const context = await contextOf(browser, started.returnUrl);
    expect(context).toMatchObject({ allowUserNameEntry: true, session: { state: 'none' } });
    expect(context).not.toHaveProperty('userName');
    const claims = readIdToken(
      await obtainTokens(application(), browser, started, await sendPassword(browser, started, chair)),
    );
    expect(claims['sub']).toBe('chair');
    expect((await askUserInfo(application(), before['access_token'])).status).toBe(401);
  });
});

describe('login_hint of a user other than the signed-in user', () => {
  const hint = { login_hint: chair.userName };

  test.each([
    ['before the request', true],
    ['while the page waits', false],
  ])('asks for the hinted user if the session began %s', async (_, isFirst) => {
    const browser = application().openBrowser();
    if (isFirst) await signIn(browser);
    const started = await beginSignIn(browser, portal, hint);
    if (!isFirst) await signIn(browser);
    const context = await contextOf(browser, started.returnUrl, { site: 'harbor' });
    expect(context).toMatchObject({
      loginHint: chair.userName,
      allowUserNameEntry: true,
      reauthRequested: false,
      defaultSite: 'harbor',
      session: { state: 'none' },
    });
    for (const absent of ['userName', 'finishedLocation']) expect(context).not.toHaveProperty(absent);
    const claims = readIdToken(
      await obtainTokens(application(), browser, started, await sendPassword(browser, started, chair)),
    );
    expect(claims['sub']).toBe('chair');
  });

  test('accepts another user, who is not asked again in this sign-in', async () => {
    const browser = application().openBrowser();
    const { sub } = readIdToken(await redeem(application(), await signIn(browser)));
    const started = await beginSignIn(browser, portal, hint);
    const claims = readIdToken(
      await obtainTokens(application(), browser, started, await sendPassword(browser, started, secretary)),
    );
    expect(claims['sub']).toBe(sub);
  });

  test('lets the user who entered the password select a site', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    const started = await beginSignIn(browser, portal, {
      login_hint: secretary.userName.toUpperCase() + 'x',
    });
    const { site: _none, ...credentials } = chair;
    const answer = await sendPassword(browser, started, credentials);
    expect(answer.json()).toEqual({ status: 'select_site_required' });
    expect((await browser.call('/api/ui/refresh-context')).json()).toMatchObject({
      selectSite: true,
      userName: chair.userName,
      session: { state: 'valid' },
    });
    const claims = readIdToken(
      await obtainTokens(
        application(),
        browser,
        started,
        await select(browser, started.returnUrl, 'northwind'),
      ),
    );
    expect(claims).toMatchObject({ sub: 'chair', site: 'northwind' });
  });

  test.each([
    ['the user’s own name in capitals', secretary.userName.toUpperCase(), 'code'],
    ['another user', chair.userName, 'login_required'],
    ['a user who does not exist', 'nobody@demo.example', 'login_required'],
  ])('prompt=none with the hint of %s returns %s', async (_, login_hint, outcome) => {
    const browser = application().openBrowser();
    await signIn(browser);
    const { address } = await browser.follow(
      authorizeAddress(portal, { prompt: 'none', login_hint }).address,
    );
    const { searchParams } = address;
    expect(searchParams.has('code') ? 'code' : searchParams.get('error')).toBe(outcome);
  });

  test('is not satisfied by a session that only the provider has lost', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    browser.cookies.delete('anteroom_provider');
    browser.cookies.delete('anteroom_provider.sig');
    const { returnUrl } = await beginSignIn(browser, portal, hint);
    expect(await contextOf(browser, returnUrl)).toMatchObject({ session: { state: 'none' } });
  });
});

describe('prompt=elevate', () => {
  test('asks for the password of the signed-in user, and stays at the site [2.8]', async () => {
    const browser = application().openBrowser();
    const before = readIdToken(await redeem(application(), await signIn(browser, {}, chair)));
    application().clock.advanceSeconds(7);
    const started = await beginSignIn(browser, portal, { prompt: 'elevate' });
    expect(await contextOf(browser, started.returnUrl)).toMatchObject({
      promptMethod: 'elevate',
      reauthRequested: false,
      session: { state: 'valid', authSite: 'harbor' },
    });
    const answer = await sendPassword(browser, started, { password: demoPassword, site: 'northwind' });
    const after = readIdToken(await obtainTokens(application(), browser, started, answer));
    expect(after).toMatchObject({ sub: before['sub'], site: 'harbor' });
    expect(Number(after['auth_time'])).toBe(Number(before['auth_time']) + 7);
  });

  test('is reported as the reason even without a session, and one sign-in satisfies it [2.37]', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal, { prompt: 'elevate' });
    expect(await contextOf(browser, returnUrl)).toMatchObject({
      promptMethod: 'elevate',
      allowUserNameEntry: true,
      session: { state: 'none' },
    });
    const { code } = await signIn(browser, { prompt: 'elevate' });
    expect(code).not.toBe('');
  });

  test('is not satisfied by a valid session, even if oidc-provider has no session of its own', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    browser.cookies.delete('anteroom_provider');
    browser.cookies.delete('anteroom_provider.sig');
    const started = await beginSignIn(browser, portal, { prompt: 'elevate' });
    expect(await contextOf(browser, started.returnUrl)).toMatchObject({ promptMethod: 'elevate' });
  });
});

describe('prompt=switch_site', () => {
  test('shows the user’s sites, and the tokens are for the selected site', async () => {
    const browser = application().openBrowser();
    const old = (await redeem(application(), await signIn(browser, {}, chair))).json();
    const started = await beginSignIn(browser, portal, { prompt: 'switch_site' });
    expect(await contextOf(browser, started.returnUrl)).toMatchObject({
      selectSite: true,
      promptMethod: 'switch_site',
    });

    const list = (await browser.call('/api/ui/sites', { returnUrl: started.returnUrl })).json();
    expect(list).toMatchObject({ userFirstName: 'Cha', boardsUserName: chair.userName });
    const entries = list['sites'] as { name: string; sites?: { name: string }[] }[];
    expect(entries.map(({ name }) => name)).toEqual(['harbor', 'northwind', 'summit']);
    expect(entries[1]?.sites?.map(({ name }) => name)).toEqual([
      'northwind',
      'northwind-audit',
      'northwind-remuneration',
    ]);
    expect(entries).toMatchObject([
      { autofocus: true, mfaRequirementMet: true },
      {},
      { mfaRequirementMet: false },
    ]);

    const tokens = await obtainTokens(
      application(),
      browser,
      started,
      await select(browser, started.returnUrl, 'northwind-audit'),
    );
    expect(readIdToken(tokens)).toMatchObject({
      site: 'northwind-audit',
      site_name: 'Northwind Audit Committee',
      parent_site: 'northwind',
    });
    // The tokens for the previous site are invalid.
    expect((await askUserInfo(application(), old['access_token'])).status).toBe(401);
  });

  test('refuses a site of other users, a blocked site, and a site that requires another factor [S62]', async () => {
    const browser = application().openBrowser();
    await signIn(browser, {}, chair);
    const { returnUrl } = await beginSignIn(browser, portal, { prompt: 'switch_site' });
    const codeOf = async (site: string) => {
      const answer = await select(browser, returnUrl, site);
      return [answer.status, answer.json()['code']];
    };
    expect(await codeOf('corp')).toEqual([404, 'not_found']);
    expect(await codeOf('atlantis')).toEqual([404, 'not_found']);
    expect(await codeOf('northwind-remuneration')).toEqual([403, 'forbidden']);
    expect(await codeOf('summit')).toEqual([401, 'site_requires_mfa']);
    expect((await select(browser, returnUrl, 'northwind')).json()).toMatchObject({ status: 'redirect' });
  });

  test('shows no list and accepts no selection before the user signs in [S25]', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    expect((await browser.call('/api/ui/sites', { returnUrl })).status).toBe(401);
    expect((await select(browser, returnUrl, 'harbor')).status).toBe(401);
    expect((await browser.call('/api/ui/sites/harbor/todo')).status).toBeGreaterThanOrEqual(400);
  });
});

describe('prompt=switch_tenant', () => {
  test('starts without a site and needs only one sign-in', async () => {
    const browser = application().openBrowser();
    await signIn(browser);
    const started = await beginSignIn(browser, portal, { prompt: 'switch_tenant' });
    const context = await contextOf(browser, started.returnUrl, { site: 'harbor' });
    expect(context).toMatchObject({
      promptMethod: 'switch_tenant',
      allowUserNameEntry: true,
      cancelRedirectUri: 'http://localhost:4401/cancelled',
    });
    expect(context).not.toHaveProperty('defaultSite');
    expect(context).not.toHaveProperty('identityServiceUrl');
    const answer = await sendPassword(browser, started, { ...chair, site: 'northwind' });
    const claims = readIdToken(await obtainTokens(application(), browser, started, answer));
    expect(claims).toMatchObject({ sub: 'chair', site: 'northwind' });
  });
});

describe('a sign-in without a named site', () => {
  test('selects the site after the password, in a session that has no site yet', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const { site: _none, ...credentials } = chair;
    const answer = await sendPassword(browser, started, credentials);
    expect(answer.json()).toEqual({ status: 'select_site_required' });
    const refreshed = (await browser.call('/api/ui/refresh-context')).json();
    expect(refreshed).toMatchObject({
      selectSite: true,
      returnUrl: started.returnUrl,
      session: { state: 'valid' },
    });
    expect(refreshed['session']).not.toHaveProperty('authSite');
    const returned = await followToApplication(browser, await select(browser, started.returnUrl, 'harbor'));
    expect(returned.get('state')).toBe(started.state);
  });

  test('enters the only site of a user directly, unless the application requests a selection', async () => {
    const browser = application().openBrowser();
    const { site: _none, ...credentials } = secretary;
    const started = await beginSignIn(browser, portal);
    const claims = readIdToken(
      await obtainTokens(application(), browser, started, await sendPassword(browser, started, credentials)),
    );
    expect(claims['site']).toBe('harbor');
    const choice = await beginSignIn(browser, portal, { prompt: 'switch_site' });
    expect(await contextOf(browser, choice.returnUrl)).toMatchObject({ selectSite: true });
  });

  test('asks a user whose session has no site to select a site, not to sign in again', async () => {
    const browser = application().openBrowser();
    const { site: _none, ...credentials } = chair;
    await sendPassword(browser, await beginSignIn(browser, portal), credentials);
    const again = await beginSignIn(browser, portal);
    // Because of identityServiceUrl, a page that is loaded now shows the list instead of asking for a site name.
    expect(await contextOf(browser, again.returnUrl)).toMatchObject({
      selectSite: true,
      identityServiceUrl: publicUrl,
      reauthRequested: false,
    });
    const returned = await followToApplication(browser, await select(browser, again.returnUrl, 'northwind'));
    expect(returned.get('code')).not.toBeNull();
  });
});
