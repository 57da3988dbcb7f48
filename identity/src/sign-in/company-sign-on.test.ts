import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { connect } from '../../testing/company/connect.ts';
import { elias, startOpenidCompany } from '../../testing/company/openid-company.ts';
import type { OpenidCompany } from '../../testing/company/openid-company.ts';
import {
  askUserInfo,
  goBack,
  readIdToken,
  redeem,
  secretary,
  sendPassword,
  signIn,
} from '../../testing/journeys.ts';
import { authorizeAddress, beginSignIn } from '../../testing/relying-party.ts';
import { useApplication } from '../../testing/use-application.ts';

const application = useApplication({ settings: { EXTERNAL_TRIPS_PER_TEN_MINUTES: '100' } });
const redirectPath = '/api/ui/auth/external/redirect';
let company: OpenidCompany;
let connectionId: string;

beforeAll(async () => {
  company = await startOpenidCompany({ redirectUri: `${publicUrl}/external/callback` });
});
afterAll(() => company.close());
beforeEach(async () => {
  const { services } = application();
  Object.assign(company, { employee: elias, signedInAt: undefined });
  await services.database.updateTable('sites').set({ connection_id: null }).execute();
  await services.database.deleteFrom('external_identities').execute();
  await services.database.deleteFrom('connections').execute();
  await services.database.updateTable('people').set({ status: 'active' }).execute();
  await services.database.deleteFrom('limits').execute();
  connectionId = await connectCompany();
});

const connectCompany = (changes: Partial<Parameters<typeof connect>[1]> = {}) =>
  connect(application(), {
    name: `corp-${Math.random()}`,
    settings: { issuer: company.issuer, clientId: company.clientId },
    clientSecret: company.clientSecret,
    domains: ['corp.example'],
    sites: ['corp'],
    ...changes,
  });

/** Sends the browser to the company; answers the address that it goes to. */
async function leave(
  browser: Browser,
  returnUrl: string,
  query: { site?: string; forceAuthentication?: string } = {},
): Promise<string> {
  const all = new URLSearchParams({ site: 'corp', returnUrl, ...query });
  const answer = await browser.visit(`${redirectPath}?${all.toString()}`);
  expect(answer.status).toBe(302);
  return answer.headers['location'] ?? '';
}

/** A whole trip: to the company, through its sign-in, and back with the answer. */
async function travel(
  browser: Browser,
  returnUrl: string,
  query: { site?: string; forceAuthentication?: string } = {},
): Promise<Answer> {
  const back = await company.visit(await leave(browser, returnUrl, query));
  return await browser.visit(back.href);
}

async function arriveWithClaims(browser: Browser, started: { codeVerifier: string }, answer: Answer) {
  const { address } = await browser.follow(answer.headers['location'] ?? '');
  expect(address.href).toContain(portal.redirectUri);
  const code = address.searchParams.get('code') ?? '';
  const tokens = await redeem(application(), { ...started, code });
  const { claims } = await askUserInfo(application(), tokens.json()['access_token']);
  return { ...claims, ...readIdToken(tokens) };
}

/** What the error page is told. */
async function readError(browser: Browser, answer: Answer) {
  const page = new URL(answer.headers['location'] ?? '', publicUrl);
  expect(page.pathname).toBe('/ui/home/error');
  expect(page.searchParams.get('ReturnUrl')).toContain('/connect/authorize/');
  const record = await browser.call('/api/ui/error-message', {
    errorId: page.searchParams.get('errorId') ?? '',
  });
  return record.json();
}

async function expectNoSession(browser: Browser): Promise<void> {
  expect((await browser.call('/api/ui/sites')).status).toBe(401);
}

/** What was noted of the last step of that name. */
function lastNoted(event: string): Record<string, unknown> | undefined {
  return application().log.findLast((line) => line['event'] === event);
}

describe('a sign-in over a company', () => {
  test('an employee comes from the portal through the company to the claims, and the portal hears that a provider vouched', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal, { login_hint: 'employee@corp.example' });
    const answer = await travel(browser, started.returnUrl);
    expect(company.asked().get('login_hint')).toBe('employee@corp.example');
    expect(company.asked().get('code_challenge_method')).toBe('S256');
    expect(company.asked().has('prompt')).toBe(false);
    const claims = await arriveWithClaims(browser, started, answer);
    expect(claims).toMatchObject({ amr: ['fed'], site: 'corp' });
    const context = (
      await browser.call('/api/ui/auth-context', { returnUrl: (await beginElevate(browser)).returnUrl })
    ).json();
    expect(context).toMatchObject({
      userName: 'employee@corp.example',
      session: { state: 'valid', authSite: 'corp', isExternallyAuthenticated: true },
    });
    expect(await sessionsOfProvider()).toEqual([{ connection_id: connectionId, subject: elias.sub }]);
  });

  test('text/plain is answered the address alone, and a site that nobody has is not found', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const query = (site: string) => `?${new URLSearchParams({ site, returnUrl }).toString()}`;
    const text = await browser.visit(redirectPath + query('corp'), { accept: 'text/plain' });
    expect(text.status).toBe(200);
    expect(text.text.startsWith(`${company.issuer}/auth?`)).toBe(true);
    for (const accept of ['text/plain', 'text/html'])
      expect((await browser.visit(redirectPath + query('nowhere'), { accept })).status).toBe(404);
    expect((await browser.visit(redirectPath + query('harbor'), { accept: 'text/plain' })).status).toBe(404);
  });

  test('whoever names no site chooses one, when their company has several', async () => {
    await addMembership('employee@corp.example', 'summit');
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    await browser.call('/api/ui/auth/settings/user', { returnUrl, usernameOrEmail: 'employee@corp.example' });
    const answer = await travel(browser, returnUrl, { site: '' });
    expect(answer.headers['location']).toContain('/ui/account/login?ReturnUrl=');
    expect((await browser.call('/api/ui/auth-context', { returnUrl })).json()).toMatchObject({
      selectSite: true,
      session: { state: 'valid' },
    });
    const chosen = await browser.post('/api/ui/auth/select-site', { site: 'corp', returnUrl });
    expect((await goBack(browser, chosen)).get('code')).not.toBeNull();
  });

  test('of 20 parallel answers one signs in, and a replay later nobody', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const back = await company.visit(await leave(browser, returnUrl));
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.visit(back.href)));
    const onwards = answers.filter(({ headers }) => !headers['location']?.includes('/home/error'));
    expect(onwards).toHaveLength(1);
    const replayed = await browser.visit(back.href);
    expect(replayed.headers['location']).toContain('/ui/home/error');
  });

  test('begun at one node, answered at another, and replayed at the first: once', async () => {
    const { services, keys, clock } = application();
    const second = await startApplication(services.database, { keys, clock });
    try {
      const browser = application().openBrowser();
      const started = await beginSignIn(browser, portal);
      const back = await company.visit(await leave(browser, started.returnUrl));
      const answer = await browser.at(second.app).visit(back.href);
      expect((await browser.visit(back.href)).headers['location']).toContain('/ui/home/error');
      expect(await arriveWithClaims(browser, started, answer)).toMatchObject({ site: 'corp' });
    } finally {
      await second.close();
    }
  });

  test('S14: an answer in another browser gives nothing there, and its own browser still goes on', async () => {
    const [browser, victim] = [application().openBrowser(), application().openBrowser()];
    const started = await beginSignIn(browser, portal);
    await beginSignIn(victim, portal);
    const back = await company.visit(await leave(browser, started.returnUrl));
    const planted = await victim.visit(back.href);
    expect(planted.headers['location']).toContain('/ui/home/error');
    await expectNoSession(victim);
    expect(await arriveWithClaims(browser, started, await browser.visit(back.href))).toMatchObject({
      email: elias['email'],
    });
  });

  test('S64: neither code nor state, nor anything else of a trip, is in the log, whether it succeeds or fails', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const [good, bad] = [
      await company.visit(await leave(browser, started.returnUrl)),
      await company.visit(await leave(browser, started.returnUrl)),
    ];
    bad.searchParams.set('iss', 'https://elsewhere.example');
    bad.searchParams.append('error_description', 'told-in-confidence');
    expect((await browser.visit(bad.href)).headers['location']).toContain('/ui/home/error');
    await arriveWithClaims(browser, started, await browser.visit(good.href));
    const text = JSON.stringify(application().log);
    for (const { searchParams } of [good, bad])
      for (const name of ['code', 'state']) expect(text).not.toContain(searchParams.get(name));
    expect(text).not.toContain('told-in-confidence');
    expect(text).not.toContain(company.clientSecret);
  });

  test('S25: an answer alone, without a trip, or after ten minutes, is nothing', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    for (const path of [
      '/external/callback',
      '/external/callback?code=x&state=y',
      '/external/continue?ticket=z',
    ])
      expect((await browser.visit(path)).headers['location']).toContain('/ui/home/error');
    const back = await company.visit(await leave(browser, returnUrl));
    application().clock.advanceSeconds(10 * 60);
    expect((await browser.visit(back.href)).headers['location']).toContain('/ui/home/error');
    await expectNoSession(browser);
  });
});

describe('who somebody is', () => {
  test('the subject decides once it is linked: another address at the company is the same person', async () => {
    const first = application().openBrowser();
    const one = await beginSignIn(first, portal);
    const before = await arriveWithClaims(first, one, await travel(first, one.returnUrl));
    company.employee = { ...elias, email: 'renamed@elsewhere.example' };
    const second = application().openBrowser();
    const two = await beginSignIn(second, portal);
    const after = await arriveWithClaims(second, two, await travel(second, two.returnUrl));
    expect(after['sub']).toBe(before['sub']);
  });

  test('an address that was given to somebody else does not open the account of the one before', async () => {
    const first = application().openBrowser();
    await travel(first, (await beginSignIn(first, portal)).returnUrl);
    company.employee = { ...elias, sub: 'e-2002' };
    const other = application().openBrowser();
    const answer = await travel(other, (await beginSignIn(other, portal)).returnUrl);
    expect(await readError(other, answer)).toMatchObject({ error: 'user_login_email_not_found' });
    await expectNoSession(other);
    expect(lastNoted('external.link')).toMatchObject({
      result: 'failure',
      reason: 'the person is known there under another subject',
    });
  });

  test('a person of another tenant cannot be vouched for: the domain must be this connection’s own', async () => {
    company.employee = { ...elias, sub: 'evil', email: secretary.userName };
    await connectCompany({ provisioning: 'just_in_time' });
    const browser = application().openBrowser();
    const answer = await travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    expect(await readError(browser, answer)).toMatchObject({
      error: 'user_login_email_not_found',
      errorData: { 'Email Address': secretary.userName, 'Claim Name': 'email' },
    });
    await expectNoSession(browser);
  });

  test('nobody whom the connection may make: the error page names the address and the claim', async () => {
    company.employee = { ...elias, sub: 'new', email: 'nobody@corp.example' };
    const browser = application().openBrowser();
    const answer = await travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    expect(await readError(browser, answer)).toMatchObject({
      error: 'user_login_email_not_found',
      errorData: { 'Email Address': 'nobody@corp.example', 'Claim Name': 'email' },
    });
  });

  test('a claim that is not there is named', async () => {
    await connectCompany({
      settings: { issuer: company.issuer, clientId: company.clientId, emailClaim: 'work_mail' },
    });
    const browser = application().openBrowser();
    const answer = await travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    expect(await readError(browser, answer)).toMatchObject({
      error: 'email_claim_not_found',
      errorData: { 'Claim Name': 'work_mail' },
    });
  });

  test('an address that the company has not verified leads to the page that asks for it, unless the operator trusts it', async () => {
    company.employee = { ...elias, email_verified: false };
    const browser = application().openBrowser();
    const answer = await travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    expect(answer.headers['location']).toContain('/ui/home/require-verified-login-email?ReturnUrl=');
    await expectNoSession(browser);
    await connectCompany({
      settings: { issuer: company.issuer, clientId: company.clientId, requireVerifiedEmail: false },
    });
    const started = await beginSignIn(browser, portal);
    const claims = await arriveWithClaims(browser, started, await travel(browser, started.returnUrl));
    expect(claims).toMatchObject({ email: 'employee@corp.example' });
  });

  test('just in time: one person of 5 first arrivals at once, a member of the connection’s sites, with the name of the claims (S07)', async () => {
    await connectCompany({ provisioning: 'just_in_time', sites: ['corp', 'summit'] });
    company.employee = {
      ...elias,
      sub: 'e-3003',
      email: 'first.day@corp.example',
      given_name: ' <b>Nia</b>\u202e\u0000 ',
      family_name: undefined,
    };
    const arrivals = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const browser = application().openBrowser();
        const started = await beginSignIn(browser, portal);
        return await arriveWithClaims(browser, started, await travel(browser, started.returnUrl));
      }),
    );
    expect(new Set(arrivals.map((claims) => claims['sub'])).size).toBe(1);
    expect(arrivals[0]).toMatchObject({ given_name: '<b>Nia</b>', email: 'first.day@corp.example' });
    // summit has passwords besides, and invites its people itself
    expect(await sitesOf('first.day@corp.example')).toEqual(['corp']);
  });

  test('a disabled person and a connection that was disabled meanwhile are refused, with a reason for operators alone', async () => {
    const { services } = application();
    const browser = application().openBrowser();
    await services.database
      .updateTable('people')
      .set({ status: 'disabled' })
      .where('user_name', '=', 'employee@corp.example')
      .execute();
    const answer = await travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    expect(await readError(browser, answer)).toMatchObject({
      error: 'external_sign_in_failed',
      errorData: {},
    });
    expect(lastNoted('external.prove')).toMatchObject({ result: 'failure', reason: 'disabled person' });
    await services.database.updateTable('people').set({ status: 'active' }).execute();

    const back = await company.visit(await leave(browser, (await beginSignIn(browser, portal)).returnUrl));
    await services.database.updateTable('connections').set({ disabled_at: new Date() }).execute();
    expect(await readError(browser, await browser.visit(back.href))).toMatchObject({
      error: 'external_sign_in_failed',
    });
    await expectNoSession(browser);
  });
});

async function beginElevate(browser: Browser) {
  return await beginSignIn(browser, portal, { prompt: 'elevate' });
}

async function signInOverCompany(): Promise<Browser> {
  const browser = application().openBrowser();
  const started = await beginSignIn(browser, portal);
  await arriveWithClaims(browser, started, await travel(browser, started.returnUrl));
  application().clock.advanceSeconds(1);
  return browser;
}

test('whoever has no password here and is asked to change it goes back at once, and the application hears why', async () => {
  const browser = await signInOverCompany();
  const request = authorizeAddress(portal, { prompt: 'change_password' });
  const { address } = await browser.follow(request.address);
  expect(address.href.startsWith(portal.redirectUri)).toBe(true);
  expect(address.searchParams.get('error')).toBe('access_denied');
  expect(address.searchParams.get('state')).toBe(request.state);
});

describe('confirming who one is', () => {
  test('the company is asked to prove the person anew, whatever the page has said', async () => {
    const browser = await signInOverCompany();
    const started = await beginElevate(browser);
    const answer = await travel(browser, started.returnUrl, { forceAuthentication: 'false' });
    expect(company.asked().get('prompt')).toBe('login');
    expect(company.asked().get('max_age')).toBe('0');
    expect(await arriveWithClaims(browser, started, answer)).toMatchObject({ email: elias['email'] });
  });

  test('a sign-in at the company that is older than the question does not count', async () => {
    const browser = await signInOverCompany();
    const { returnUrl } = await beginElevate(browser);
    company.signedInAt = new Date(Date.now() - 5 * 60_000);
    const address = new URL(await leave(browser, returnUrl));
    // a company that heeds neither of the two parameters
    address.searchParams.delete('prompt');
    address.searchParams.set('max_age', '999999');
    const answer = await browser.visit((await company.visit(address.href)).href);
    expect(await readError(browser, answer)).toMatchObject({ error: 'external_sign_in_failed' });
  });

  test('another person of the company does not count, and the one who is signed in stays so', async () => {
    await connectCompany({ provisioning: 'just_in_time' });
    const browser = await signInOverCompany();
    const { returnUrl } = await beginElevate(browser);
    company.employee = { ...elias, sub: 'e-4004', email: 'colleague@corp.example' };
    const answer = await travel(browser, returnUrl);
    expect(await readError(browser, answer)).toMatchObject({ error: 'external_sign_in_failed' });
    expect((await browser.call('/api/ui/auth-context', { returnUrl })).json()).toMatchObject({
      userName: 'employee@corp.example',
      session: { state: 'valid' },
    });
  });
});

describe('between sites with passwords and sites with a provider', () => {
  test('a password is nothing to a site of a company: the browser is sent to the company, and comes back into the site', async () => {
    await addMembership(secretary.userName, 'corp');
    const browser = application().openBrowser();
    await signIn(browser);
    application().clock.advanceSeconds(1);
    const started = await beginSignIn(browser, portal, { prompt: 'switch_site' });
    const chosen = await browser.post('/api/ui/auth/select-site', {
      site: 'corp',
      returnUrl: started.returnUrl,
    });
    const { status, location } = chosen.json();
    expect(status).toBe('redirect');
    // the company knows her too, and the operator has given it her domain
    company.employee = { ...elias, sub: 's-1', email: secretary.userName };
    await giveDomain('demo.example');
    const left = await browser.visit(String(location));
    const answer = await browser.visit((await company.visit(left.headers['location'] ?? '')).href);
    expect(await arriveWithClaims(browser, started, answer)).toMatchObject({
      site: 'corp',
      email: secretary.userName,
    });
  });

  test('a provider is nothing to a site that has passwords: it is confirmed there, and until then the session is for no site', async () => {
    await addMembership(secretary.userName, 'corp');
    await giveDomain('demo.example');
    company.employee = { ...elias, sub: 's-1', email: secretary.userName };
    const browser = application().openBrowser();
    const first = await beginSignIn(browser, portal);
    await arriveWithClaims(browser, first, await travel(browser, first.returnUrl));
    application().clock.advanceSeconds(1);

    const started = await beginSignIn(browser, portal, { prompt: 'switch_site' });
    const select = { site: 'harbor', returnUrl: started.returnUrl };
    expect((await browser.post('/api/ui/auth/select-site', select)).json()).toEqual({
      status: 'password_required',
    });
    const between = (await browser.call('/api/ui/auth-context', { returnUrl: started.returnUrl })).json();
    expect(between['session']).toMatchObject({ authSite: 'corp' });
    const confirmed = await sendPassword(browser, started, { site: 'harbor', password: secretary.password });
    const told = await goBack(browser, confirmed);
    const claims = readIdToken(await redeem(application(), { ...started, code: told.get('code') ?? '' }));
    expect(claims).toMatchObject({ site: 'harbor' });
    expect((await browser.call('/api/ui/auth-context', { returnUrl: started.returnUrl })).status).toBe(404);
  });

  test('a session of one company is nothing to a site of another one', async () => {
    const other = await startOpenidCompany({ redirectUri: `${publicUrl}/external/callback` });
    try {
      await connect(application(), {
        name: 'other company',
        settings: { issuer: other.issuer, clientId: other.clientId },
        clientSecret: other.clientSecret,
        sites: ['harbor'],
      });
      await setPasswords('harbor', false);
      await addMembership('employee@corp.example', 'harbor');
      const browser = application().openBrowser();
      const first = await beginSignIn(browser, portal);
      await arriveWithClaims(browser, first, await travel(browser, first.returnUrl));
      application().clock.advanceSeconds(1);
      const { returnUrl } = await beginSignIn(browser, portal, { prompt: 'switch_site' });
      const chosen = (await browser.post('/api/ui/auth/select-site', { site: 'harbor', returnUrl })).json();
      const left = await browser.visit(String(chosen['location']));
      expect(left.headers['location']?.startsWith(`${other.issuer}/auth?`)).toBe(true);
    } finally {
      await setPasswords('harbor', true);
      await other.close();
    }
  });
});

describe('where somebody is sent', () => {
  const ask = async (browser: Browser, query: Record<string, string>) =>
    (await browser.call('/api/ui/auth/settings/user', query)).json()['shouldRedirectToExternalAuth'];

  test('S28: by the site and by the domain of the address alone, whoever has it and whoever does not', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    for (const name of ['employee@corp.example', 'nobody@corp.example', 'NOBODY@Corp.Example']) {
      expect(await ask(browser, { returnUrl, usernameOrEmail: name })).toBe(true);
      expect(await ask(browser, { returnUrl, usernameOrEmail: name, site: 'harbor' })).toBe(true);
    }
    for (const name of [
      secretary.userName,
      'nobody@demo.example',
      'corp.example',
      'x@evil.example@corp.example',
    ]) {
      expect(await ask(browser, { returnUrl, usernameOrEmail: name })).toBe(false);
      expect(await ask(browser, { returnUrl, usernameOrEmail: name, site: 'corp' })).toBe(true);
    }
  });

  test('what is typed where a name is asked for is kept and handed on only when it is an address of the company', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    for (const [typed, hint] of [
      ['my pass@word', null],
      ['contractor@partner.example', null],
      ['Employee@corp.example', 'Employee@corp.example'],
    ] as const) {
      expect(await ask(browser, { returnUrl, usernameOrEmail: typed, site: 'corp' })).toBe(true);
      expect(new URL(await leave(browser, returnUrl)).searchParams.get('login_hint')).toBe(hint);
    }
  });

  test('an address that leads elsewhere by its domain does so at a site with passwords, and who has none enters with it', async () => {
    await addMembership('employee@corp.example', 'harbor');
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const { returnUrl } = started;
    expect(await ask(browser, { returnUrl, usernameOrEmail: 'employee@corp.example', site: 'harbor' })).toBe(
      true,
    );
    const answer = await travel(browser, returnUrl, { site: 'harbor' });
    expect(await arriveWithClaims(browser, started, answer)).toMatchObject({ site: 'harbor', amr: ['fed'] });
  });

  test('a site that has passwords and a provider asks for the name first', async () => {
    await connectCompany({ sites: ['harbor'] });
    const browser = application().openBrowser();
    const settings = async (site: string) =>
      (await browser.call('/api/ui/auth/settings/site', { site })).json();
    expect(await settings('harbor')).toEqual({ allowPasswordEntry: false });
    expect(await settings('summit')).toEqual({ allowPasswordEntry: true });
  });

  test('one address cannot send the world to a provider: past its trips the error page, with a wait for programs', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const address = `${redirectPath}?${new URLSearchParams({ site: 'corp', returnUrl }).toString()}`;
    for (let trip = 0; trip < 100; trip += 1) await browser.visit(address, { accept: 'text/plain' });
    const refused = await browser.visit(address, { accept: 'text/plain' });
    expect([refused.status, refused.json()['code']]).toEqual([429, 'rate_limit_reached']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const page = (await browser.visit(address)).headers['location'];
    expect(page).toMatch(/\/ui\/home\/error\?ReturnUrl=/);
  });

  test('whoever comes back with nothing leaves no more records than that either', async () => {
    const browser = application().openBrowser();
    const count = async () => {
      const rows = application().services.database.selectFrom('error_records').select('id').execute();
      return (await rows).length;
    };
    const before = await count();
    for (let visit = 0; visit < 120; visit += 1) {
      const { headers } = await browser.visit('/external/callback?code=x&state=y');
      expect(headers['location']).toContain('/ui/home/error');
    }
    expect((await count()) - before).toBe(100);
  });
});

async function addMembership(userName: string, site: string): Promise<void> {
  const { database, clock } = application().services;
  await database
    .insertInto('memberships')
    .columns(['person_id', 'site_id', 'created_at'])
    .expression((select) =>
      select
        .selectFrom('people')
        .innerJoin('sites', (join) => join.on('sites.name', '=', site))
        .select((columns) => ['people.id', 'sites.id as site_id', columns.val(clock.now()).as('created_at')])
        .where('people.user_name', '=', userName),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function giveDomain(domain: string): Promise<void> {
  await application()
    .services.database.insertInto('connection_domains')
    .values({ domain, connection_id: connectionId })
    .execute();
}

async function setPasswords(site: string, allowed: boolean): Promise<void> {
  await application()
    .services.database.updateTable('sites')
    .set({ allow_password_entry: allowed })
    .where('name', '=', site)
    .execute();
}

async function sitesOf(userName: string): Promise<string[]> {
  const rows = await application()
    .services.database.selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .select('sites.name')
    .where('people.user_name', '=', userName)
    .execute();
  return rows.map(({ name }) => name);
}

async function sessionsOfProvider() {
  return await application()
    .services.database.selectFrom('external_sessions')
    .select(['connection_id', 'subject'])
    .execute();
}
