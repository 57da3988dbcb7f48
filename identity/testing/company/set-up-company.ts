import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { portal, publicUrl } from '../application.ts';
import type { Answer, Browser } from '../browser.ts';
import { askUserInfo, readIdToken, redeem } from '../journeys.ts';
import { beginSignIn } from '../relying-party.ts';
import { useApplication } from '../use-application.ts';
import { connect } from './connect.ts';
import { elias, startOpenidCompany } from './openid-company.ts';
import type { OpenidCompany } from './openid-company.ts';

export const redirectPath = '/api/ui/auth/external/redirect';

type Trip = { site?: string; forceAuthentication?: string };

/**
 * Starts the whole service for the tests of one file, with a site whose users sign in through a company with a real OpenID
 * provider. Each test starts without linked identities.
 */
export function setUpCompany() {
  const application = useApplication({ settings: { LIMIT_ADDRESS_FAILURES: '40' } });
  let company: OpenidCompany;
  let connectionId: string;

  beforeAll(async () => {
    company = await startOpenidCompany({ redirectUri: `${publicUrl}/external/callback` });
  });
  afterAll(() => company.close());
  beforeEach(async () => {
    const { services } = application();
    Object.assign(company, { employee: elias, signedInAt: undefined, beforeTokens: undefined });
    await services.database.updateTable('sites').set({ connection_id: null }).execute();
    await services.database.deleteFrom('external_identities').execute();
    await services.database.deleteFrom('connections').execute();
    await services.database.updateTable('users').set({ status: 'active' }).execute();
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

  /** Starts a sign-in at the company, and returns the address that the browser is redirected to. */
  async function leave(browser: Browser, returnUrl: string, query: Trip = {}): Promise<string> {
    const all = new URLSearchParams({ site: 'corp', returnUrl, ...query });
    const answer = await browser.visit(`${redirectPath}?${all.toString()}`);
    expect(answer.status).toBe(302);
    return answer.headers['location'] ?? '';
  }

  /** Signs in at the company, and returns with its response. */
  async function travel(browser: Browser, returnUrl: string, query: Trip = {}): Promise<Answer> {
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

  /** Returns the record that the error page shows. */
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

  /** The last audit event with this name. */
  function lastNoted(event: string): Record<string, unknown> | undefined {
    return application().log.findLast((line) => line['event'] === event);
  }

  async function signInOverCompany(): Promise<Browser> {
    const browser = application().openBrowser();
    const started = await beginSignIn(browser, portal);
    await arriveWithClaims(browser, started, await travel(browser, started.returnUrl));
    application().clock.advanceSeconds(1);
    return browser;
  }

  async function addMembership(userName: string, site: string): Promise<void> {
    const { database, clock } = application().services;
    await database
      .insertInto('memberships')
      .columns(['user_id', 'site_id', 'created_at'])
      .expression((select) =>
        select
          .selectFrom('users')
          .innerJoin('sites', (join) => join.on('sites.name', '=', site))
          .select((columns) => ['users.id', 'sites.id as site_id', columns.val(clock.now()).as('created_at')])
          .where('users.user_name', '=', userName),
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

  return {
    application,
    get company() {
      return company;
    },
    get connectionId() {
      return connectionId;
    },
    connectCompany,
    leave,
    travel,
    arriveWithClaims,
    signInOverCompany,
    readError,
    expectNoSession,
    lastNoted,
    addMembership,
    giveDomain,
    setPasswords,
  };
}
