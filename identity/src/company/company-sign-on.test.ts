import { describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { elias } from '../../testing/company/openid-company.ts';
import { redirectPath, setUpCompany } from '../../testing/company/set-up-company.ts';
import { followToApplication } from '../../testing/journeys.ts';
import { authorizeAddress, beginSignIn } from '../../testing/relying-party.ts';

const at = setUpCompany();
const {
  application,
  connectCompany,
  leave,
  travel,
  arriveWithClaims,
  signInOverCompany,
  readError,
  expectNoSession,
  addMembership,
} = at;

describe('a sign-in at an organisation’s OpenID provider', () => {
  test('signs an employee in from the portal, and the claims contain amr `fed` [I05]', async () => {
    const browser = application().openBrowser();
    const started = authorizeAddress(portal, { login_hint: 'employee@corp.example' });
    // The browser is redirected to the provider without a page of this service.
    const { address } = await browser.follow(started.address);
    const answer = await browser.visit((await at.company.visit(address.href)).href);
    expect(at.company.asked().get('login_hint')).toBe('employee@corp.example');
    expect(at.company.asked().get('code_challenge_method')).toBe('S256');
    expect(at.company.asked().has('prompt')).toBe(false);
    const claims = await arriveWithClaims(browser, started, answer);
    expect(claims).toMatchObject({ amr: ['fed'], site: 'corp' });
    const context = (
      await browser.call('/api/ui/auth-context', { returnUrl: (await beginElevate(browser)).returnUrl })
    ).json();
    expect(context).toMatchObject({
      userName: 'employee@corp.example',
      session: { state: 'valid', authSite: 'corp', isExternallyAuthenticated: true },
    });
    expect(await sessionsOfProvider()).toEqual([{ connection_id: at.connectionId, subject: elias.sub }]);
  });

  test.each([
    ['an address of no company', { login_hint: 'ada@partner.example' }],
    ['a name', { login_hint: 'corp.example' }],
    ['a site that nobody has', { login_hint: 'employee@corp.example', site: 'unknown' }],
    ['another prompt', { login_hint: 'employee@corp.example', prompt: 'switch_tenant' }],
  ])('shows our sign-in page for %s', async (_name, changes) => {
    const { address } = await application().openBrowser().follow(authorizeAddress(portal, changes).address);
    expect(address.pathname).toBe('/ui/account/login');
  });

  test('returns only the address for text/plain, and 404 for an unknown site [7.5]', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const query = (site: string) => `?${new URLSearchParams({ site, returnUrl }).toString()}`;
    const text = await browser.visit(redirectPath + query('corp'), { accept: 'text/plain' });
    expect(text.status).toBe(200);
    expect(text.text.startsWith(`${at.company.issuer}/auth?`)).toBe(true);
    for (const accept of ['text/plain', 'text/html'])
      expect((await browser.visit(redirectPath + query('nowhere'), { accept })).status).toBe(404);
    expect((await browser.visit(redirectPath + query('harbor'), { accept: 'text/plain' })).status).toBe(404);
  });

  test('asks a user with several sites to select a site, if the user named no site', async () => {
    await addMembership('employee@corp.example', 'harbor');
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
    expect((await followToApplication(browser, chosen)).get('code')).not.toBeNull();
  });

  test('accepts one of 50 parallel responses, and no replay [I05]', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const back = await at.company.visit(await leave(browser, returnUrl));
    const answers = await Promise.all(Array.from({ length: 50 }, () => browser.visit(back.href)));
    const onwards = answers.filter(({ headers }) => !headers['location']?.includes('/home/error'));
    expect(onwards).toHaveLength(1);
    const replayed = await browser.visit(back.href);
    expect(replayed.headers['location']).toContain('/ui/home/error');
  });

  test('begins no session if the connection is disabled before the provider responds [S23]', async () => {
    const { services, clock } = application();
    const name = 'corp-to-be-disabled';
    await services.database
      .updateTable('connections')
      .set({ name })
      .where('id', '=', at.connectionId)
      .execute();
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const back = await at.company.visit(await leave(browser, returnUrl));
    at.company.beforeTokens = async () =>
      expect(await createCommandLine(services, clock).run(`connections disable ${name}`)).toMatchObject({
        code: 0,
      });
    const answer = await browser.visit(back.href);
    expect(at.company.beforeTokens).toBeUndefined();
    expect(answer.headers['location']).toContain('/ui/home/error');
    await expectNoSession(browser);
  });

  test('refuses a response in another browser, and the original browser can still continue [I05, S14]', async () => {
    const [browser, victim] = [application().openBrowser(), application().openBrowser()];
    const started = await beginSignIn(browser, portal);
    await beginSignIn(victim, portal);
    const back = await at.company.visit(await leave(browser, started.returnUrl));
    const planted = await victim.visit(back.href);
    expect(planted.headers['location']).toContain('/ui/home/error');
    await expectNoSession(victim);
    expect(await arriveWithClaims(browser, started, await browser.visit(back.href))).toMatchObject({
      email: elias['email'],
    });
  });

  test('logs neither code nor state nor any other parameter, after success or failure [S64]', async () => {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    const [good, bad] = [
      await at.company.visit(await leave(browser, started.returnUrl)),
      await at.company.visit(await leave(browser, started.returnUrl)),
    ];
    bad.searchParams.set('iss', 'https://elsewhere.example');
    bad.searchParams.append('error_description', 'told-in-confidence');
    expect((await browser.visit(bad.href)).headers['location']).toContain('/ui/home/error');
    await arriveWithClaims(browser, started, await browser.visit(good.href));
    const text = JSON.stringify(application().log);
    for (const { searchParams } of [good, bad])
      for (const name of ['code', 'state']) expect(text).not.toContain(searchParams.get(name));
    expect(text).not.toContain('told-in-confidence');
    expect(text).not.toContain(at.company.clientSecret);
  });

  test('refuses a response without a request, and a response after ten minutes [S25]', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    for (const path of [
      '/external/callback',
      '/external/callback?code=x&state=y',
      '/external/continue?ticket=z',
    ])
      expect((await browser.visit(path)).headers['location']).toContain('/ui/home/error');
    const back = await at.company.visit(await leave(browser, returnUrl));
    application().clock.advanceSeconds(10 * 60);
    expect((await browser.visit(back.href)).headers['location']).toContain('/ui/home/error');
    await expectNoSession(browser);
  });
});

async function beginElevate(browser: Browser) {
  return await beginSignIn(browser, portal, { prompt: 'elevate' });
}

test('prompt=change_password returns access_denied at once for a user without a password', async () => {
  const browser = await signInOverCompany();
  const request = authorizeAddress(portal, { prompt: 'change_password' });
  const { address } = await browser.follow(request.address);
  expect(address.href.startsWith(portal.redirectUri)).toBe(true);
  expect(address.searchParams.get('error')).toBe('access_denied');
  expect(address.searchParams.get('state')).toBe(request.state);
});

describe('reauthentication', () => {
  test('forces authentication at the provider, whatever the page requests [4.18]', async () => {
    const browser = await signInOverCompany();
    const started = await beginElevate(browser);
    const answer = await travel(browser, started.returnUrl, { forceAuthentication: 'false' });
    expect(at.company.asked().get('prompt')).toBe('login');
    expect(at.company.asked().get('max_age')).toBe('0');
    expect(await arriveWithClaims(browser, started, answer)).toMatchObject({ email: elias['email'] });
  });

  test('requires the company to authenticate the user again without a session, too', async () => {
    const browser = application().openBrowser();
    const started = await beginElevate(browser);
    const answer = await travel(browser, started.returnUrl, { forceAuthentication: 'false' });
    expect(at.company.asked().get('prompt')).toBe('login');
    expect(at.company.asked().get('max_age')).toBe('0');
    expect(await arriveWithClaims(browser, started, answer)).toMatchObject({ email: elias['email'] });
  });

  test('refuses an authentication at the provider that is older than the request', async () => {
    const browser = await signInOverCompany();
    const { returnUrl } = await beginElevate(browser);
    at.company.signedInAt = new Date(Date.now() - 5 * 60_000);
    const address = new URL(await leave(browser, returnUrl));
    // Simulates a provider that ignores both parameters.
    address.searchParams.delete('prompt');
    address.searchParams.set('max_age', '999999');
    const answer = await browser.visit((await at.company.visit(address.href)).href);
    expect(await readError(browser, answer)).toMatchObject({ error: 'external_sign_in_failed' });
  });

  test('refuses another user of the organisation, and the signed-in user stays signed in', async () => {
    await connectCompany({ provisioning: 'just_in_time' });
    const browser = await signInOverCompany();
    const { returnUrl } = await beginElevate(browser);
    at.company.employee = { ...elias, sub: 'e-4004', email: 'colleague@corp.example' };
    const answer = await travel(browser, returnUrl);
    expect(await readError(browser, answer)).toMatchObject({ error: 'external_sign_in_failed' });
    expect((await browser.call('/api/ui/auth-context', { returnUrl })).json()).toMatchObject({
      userName: 'employee@corp.example',
      session: { state: 'valid' },
    });
  });
});

async function sessionsOfProvider() {
  return await application()
    .services.database.selectFrom('external_sessions')
    .select(['connection_id', 'subject'])
    .execute();
}
