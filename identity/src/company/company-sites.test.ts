import { describe, expect, test } from 'vitest';
import { portal, publicUrl } from '../../testing/application.ts';
import type { Browser } from '../../testing/browser.ts';
import { connect } from '../../testing/company/connect.ts';
import { elias, startOpenidCompany } from '../../testing/company/openid-company.ts';
import { redirectPath, setUpCompany } from '../../testing/company/set-up-company.ts';
import {
  followToApplication,
  obtainTokens,
  readIdToken,
  secretary,
  sendPassword,
  signIn,
} from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';
import { addAccount, latestCodeOf, passwordOf } from '../../testing/two-users/accounts.ts';

const at = setUpCompany();
const {
  application,
  connectCompany,
  leave,
  travel,
  arriveWithClaims,
  addMembership,
  giveDomain,
  setPasswords,
} = at;

describe('between sites with passwords and sites with a provider', () => {
  test('a password is not enough for a site with a provider: the user authenticates at the provider and enters the site', async () => {
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
    // The secretary has an account at the provider, and the operator has assigned her e-mail domain to the connection.
    at.company.employee = { ...elias, sub: 's-1', email: secretary.userName };
    await giveDomain('demo.example');
    const left = await browser.visit(String(location));
    const answer = await browser.visit((await at.company.visit(left.headers['location'] ?? '')).href);
    expect(await arriveWithClaims(browser, started, answer)).toMatchObject({
      site: 'corp',
      email: secretary.userName,
    });
  });

  test('a provider is not enough for a site with passwords: until the user enters the password, the session keeps its site [I08]', async () => {
    await addMembership(secretary.userName, 'corp');
    await giveDomain('demo.example');
    at.company.employee = { ...elias, sub: 's-1', email: secretary.userName };
    const browser = application().openBrowser();
    const first = await beginSignIn(browser, portal);
    await arriveWithClaims(browser, first, await travel(browser, first.returnUrl));
    application().clock.advanceSeconds(1);

    const started = await beginSignIn(browser, portal, { prompt: 'switch_site' });
    const select = { site: 'harbor', returnUrl: started.returnUrl };
    expect((await browser.post('/api/ui/auth/select-site', select)).json()).toEqual({
      status: 'password_required',
    });
    const contextBefore = (
      await browser.call('/api/ui/auth-context', { returnUrl: started.returnUrl })
    ).json();
    expect(contextBefore['session']).toMatchObject({ authSite: 'corp' });
    const confirmed = await sendPassword(browser, started, { site: 'harbor', password: secretary.password });
    const claims = readIdToken(await obtainTokens(application(), browser, started, confirmed));
    expect(claims).toMatchObject({ site: 'harbor' });
    const after = (await browser.call('/api/ui/auth-context', { returnUrl: started.returnUrl })).json();
    expect(after['finishedLocation']).toBe('http://localhost:4401/');
  });

  test('authentication at a provider does not replace the code at a site that accepts no remembered computers [S25]', async () => {
    const setAdaptive = (isAdaptive: boolean) =>
      application()
        .services.database.updateTable('sites')
        .set({ adaptive_second_factor: isAdaptive })
        .where('name', '=', 'summit')
        .execute();
    await setAdaptive(false);
    try {
      const account = await addAccount(application(), { memberOf: ['harbor', 'summit', 'corp'] });
      await giveDomain('demo.example');
      at.company.employee = { ...elias, sub: account.id, email: account.userName };
      const browser = application().openBrowser();
      const atHarbor = { ...passwordOf(account), site: 'harbor' };
      const first = await beginSignIn(browser, portal);
      const { returnUrl } = first;
      await sendPassword(browser, first, atHarbor);
      const code = await latestCodeOf(application(), account);
      await followToApplication(browser, await browser.post('/api/ui/verify-mfa-code', { returnUrl, code }));
      await browser.post('/api/ui/auth/sign-out', {});

      const overCompany = await beginSignIn(browser, portal);
      await arriveWithClaims(browser, overCompany, await travel(browser, overCompany.returnUrl));
      const switchTo = async (site: string) => {
        application().clock.advanceSeconds(60);
        const started = await beginSignIn(browser, portal, { prompt: 'switch_site' });
        const body = { site, returnUrl: started.returnUrl };
        return { started, chosen: (await browser.post('/api/ui/auth/select-site', body)).json() };
      };
      const harbor = await switchTo('harbor');
      expect(harbor.chosen).toEqual({ status: 'password_required' });
      // The computer is remembered, so the password is enough at this site.
      const confirmed = await sendPassword(browser, harbor.started, atHarbor);
      expect(confirmed.json()).toMatchObject({ status: 'redirect' });
      expect((await switchTo('summit')).chosen).toMatchObject({ status: 'second_factor_required' });
    } finally {
      await setAdaptive(true);
    }
  });

  test('a site with a provider and passwords that lacks the second factor sends the user to the provider, who then enters', async () => {
    const setRequired = (isRequired: boolean) =>
      application()
        .services.database.updateTable('sites')
        .set({ second_factor_required: isRequired, allow_password_entry: isRequired })
        .where('name', '=', 'corp')
        .execute();
    for (const site of ['corp', 'northwind']) await addMembership(secretary.userName, site);
    await giveDomain('demo.example');
    at.company.employee = { ...elias, sub: 's-2', email: secretary.userName };
    await at.signInOverCompany();
    await setRequired(true);
    try {
      const browser = application().openBrowser();
      const remedyAt = async (returnUrl: string): Promise<unknown> => {
        const { sites } = (await browser.call('/api/ui/sites', { returnUrl })).json();
        return (sites as { name: string; mfaRemedy?: string }[]).find(({ name }) => name === 'corp')
          ?.mfaRemedy;
      };
      const started = await beginSignIn(browser, portal);
      const { returnUrl } = started;
      const { userName, password } = secretary;
      expect((await browser.post('/api/ui/authenticate', { userName, password, returnUrl })).json()).toEqual({
        status: 'select_site_required',
      });
      expect(await remedyAt(returnUrl)).toBe('sign-in-at-company');
      application().clock.advanceSeconds(1);
      const answer = await travel(browser, returnUrl, { forceAuthentication: 'false' });
      expect(await arriveWithClaims(browser, started, answer)).toMatchObject({ site: 'corp' });
      // The provider would lead back to the list, because this sign-in asks for a choice.
      const switching = await beginSignIn(browser, portal, { prompt: 'switch_site' });
      expect(await remedyAt(switching.returnUrl)).not.toBe('sign-in-at-company');
    } finally {
      await setRequired(false);
    }
  });

  test('a session of one provider is not enough for a site with another provider [I08]', async () => {
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

describe('home realm discovery', () => {
  const ask = async (browser: Browser, query: Record<string, string>) =>
    (await browser.call('/api/ui/auth/settings/user', query)).json()['shouldRedirectToExternalAuth'];

  test('depends only on the site and the domain of the address, not on whether the user exists [4.17, S28]', async () => {
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

  test('stores and forwards the typed name only if it is an address of the connection’s domain', async () => {
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

  test('an address of a connection’s domain leads to the provider at a site with passwords too, and a user without a password enters', async () => {
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

  test('a site with passwords and a provider asks for the name first', async () => {
    await connectCompany({ sites: ['harbor'] });
    const browser = application().openBrowser();
    const settings = async (site: string) =>
      (await browser.call('/api/ui/auth/settings/site', { site })).json();
    expect(await settings('harbor')).toEqual({ allowPasswordEntry: false });
    expect(await settings('summit')).toEqual({ allowPasswordEntry: true });
  });

  test('limits the redirects to providers per address, with the error page or 429 and Retry-After', async () => {
    const browser = application().openBrowser();
    const { returnUrl } = await beginSignIn(browser, portal);
    const address = `${redirectPath}?${new URLSearchParams({ site: 'corp', returnUrl }).toString()}`;
    for (let trip = 0; trip < 3 * 40; trip += 1) await browser.visit(address, { accept: 'text/plain' });
    const refused = await browser.visit(address, { accept: 'text/plain' });
    expect([refused.status, refused.json()['code']]).toEqual([429, 'rate_limit_reached']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const page = (await browser.visit(address)).headers['location'];
    expect(page).toMatch(/\/ui\/home\/error\?ReturnUrl=/);
  });

  test('limits the error records of invalid responses per address', async () => {
    const browser = application().openBrowser();
    const count = async () => {
      const rows = application().services.database.selectFrom('error_records').select('id').execute();
      return (await rows).length;
    };
    const before = await count();
    for (let visit = 0; visit < 130; visit += 1) {
      const { headers } = await browser.visit('/external/callback?code=x&state=y');
      expect(headers['location']).toContain('/ui/home/error');
    }
    expect((await count()) - before).toBe(3 * 40);
  });
});
