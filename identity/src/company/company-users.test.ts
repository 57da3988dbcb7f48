import { describe, expect, test } from 'vitest';
import { portal } from '../../testing/application.ts';
import { addBoard } from '../../testing/board-people.ts';
import { elias } from '../../testing/company/openid-company.ts';
import { setUpCompany } from '../../testing/company/set-up-company.ts';
import { secretary } from '../../testing/journeys.ts';
import { beginSignIn } from '../../testing/relying-party.ts';

const at = setUpCompany();
const {
  application,
  connectCompany,
  leave,
  travel,
  arriveWithClaims,
  readError,
  expectNoSession,
  lastNoted,
} = at;

describe('the account of a provider’s user', () => {
  test('is found by the linked subject, even with another e-mail address [I06]', async () => {
    const first = application().openBrowser();
    const one = await beginSignIn(first, portal);
    const before = await arriveWithClaims(first, one, await travel(first, one.returnUrl));
    at.company.employee = { ...elias, email: 'renamed@elsewhere.example' };
    const second = application().openBrowser();
    const two = await beginSignIn(second, portal);
    const after = await arriveWithClaims(second, two, await travel(second, two.returnUrl));
    expect(after['sub']).toBe(before['sub']);
  });

  test('is not found by an e-mail address that the provider has reassigned to another subject', async () => {
    const first = application().openBrowser();
    await travel(first, (await beginSignIn(first, portal)).returnUrl);
    at.company.employee = { ...elias, sub: 'e-2002' };
    const other = application().openBrowser();
    const answer = await travel(other, (await beginSignIn(other, portal)).returnUrl);
    expect(await readError(other, answer)).toMatchObject({ error: 'user_login_email_not_found' });
    await expectNoSession(other);
    expect(lastNoted('external.link')).toMatchObject({
      result: 'failure',
      reason: 'the user is linked to another subject of the provider',
    });
  });

  test('is refused if the domain of the address does not belong to the connection [I06]', async () => {
    at.company.employee = { ...elias, sub: 'evil', email: secretary.userName };
    await connectCompany({ provisioning: 'just_in_time' });
    const browser = application().openBrowser();
    const answer = await travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    expect(await readError(browser, answer)).toMatchObject({
      error: 'user_login_email_not_found',
      errorData: { 'Email Address': secretary.userName, 'Claim Name': 'email' },
    });
    await expectNoSession(browser);
  });

  test('without an account and without provisioning, the error page names the address and the claim [8.17]', async () => {
    at.company.employee = { ...elias, sub: 'new', email: 'nobody@corp.example' };
    const browser = application().openBrowser();
    const answer = await travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    expect(await readError(browser, answer)).toMatchObject({
      error: 'user_login_email_not_found',
      errorData: { 'Email Address': 'nobody@corp.example', 'Claim Name': 'email' },
    });
  });

  test('an address with characters that the database rejects is treated as unknown', async () => {
    at.company.employee = { ...elias, sub: 'odd', email: 'employee\0@corp.example' };
    await connectCompany({ provisioning: 'just_in_time' });
    const browser = application().openBrowser();
    const answer = await travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    expect(await readError(browser, answer)).toMatchObject({ error: 'user_login_email_not_found' });
    await expectNoSession(browser);
  });

  test('a missing claim is named on the error page [8.18]', async () => {
    await connectCompany({
      settings: { issuer: at.company.issuer, clientId: at.company.clientId, emailClaim: 'work_mail' },
    });
    const browser = application().openBrowser();
    const answer = await travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    expect(await readError(browser, answer)).toMatchObject({
      error: 'email_claim_not_found',
      errorData: { 'Claim Name': 'work_mail' },
    });
  });

  test('an unverified address leads to the page that asks for verification, unless the operator trusts the provider', async () => {
    at.company.employee = { ...elias, email_verified: false };
    const browser = application().openBrowser();
    const answer = await travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    expect(answer.headers['location']).toContain('/ui/home/require-verified-login-email?ReturnUrl=');
    await expectNoSession(browser);
    await connectCompany({
      settings: { issuer: at.company.issuer, clientId: at.company.clientId, requireVerifiedEmail: false },
    });
    const started = await beginSignIn(browser, portal);
    const claims = await arriveWithClaims(browser, started, await travel(browser, started.returnUrl));
    expect(claims).toMatchObject({ email: 'employee@corp.example' });
  });

  test('just-in-time provisioning creates one user for 5 parallel sign-ins, with the names of the claims and the connection’s sites [S07]', async () => {
    await connectCompany({ provisioning: 'just_in_time', sites: ['corp', 'summit'] });
    at.company.employee = {
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
    // The site `summit` also allows passwords, so its memberships are not provisioned.
    expect(await sitesOf('first.day@corp.example')).toEqual(['corp']);
  });

  test.each([
    { enters: 'corp', home: 'corp' },
    { enters: 'corp-audit', home: 'corp-audit' },
    // Not a member there, so another board manages the account: the parent of the two.
    { enters: 'summit', home: 'corp' },
  ])(
    'an account that a sign-in at $enters creates belongs to $home, whose board office manages it',
    async ({ enters, home }) => {
      const { database } = application().services;
      await database.deleteFrom('sites').where('name', '=', 'corp-audit').execute();
      await addBoard(application().services, 'corp-audit', 'corp');
      await connectCompany({ provisioning: 'just_in_time', sites: ['corp-audit', 'corp', 'summit'] });
      await database
        .updateTable('sites')
        .set({ allow_password_entry: false })
        .where('name', '=', 'corp-audit')
        .execute();
      const email = `from.${enters}@corp.example`;
      at.company.employee = { ...elias, sub: enters, email };
      const browser = application().openBrowser();
      await travel(browser, (await beginSignIn(browser, portal)).returnUrl, { site: enters });
      expect(await sitesOf(email)).toEqual(['corp', 'corp-audit']);
      const created = await database
        .selectFrom('users')
        .innerJoin('sites', 'sites.id', 'users.home_site_id')
        .select('sites.name')
        .where('user_name', '=', email)
        .executeTakeFirst();
      expect(created?.name).toBe(home);
    },
  );

  test('a disabled user and a disabled connection are refused; only the audit log has the reason', async () => {
    const { services } = application();
    const browser = application().openBrowser();
    await services.database
      .updateTable('users')
      .set({ status: 'disabled' })
      .where('user_name', '=', 'employee@corp.example')
      .execute();
    const answer = await travel(browser, (await beginSignIn(browser, portal)).returnUrl);
    expect(await readError(browser, answer)).toMatchObject({
      error: 'external_sign_in_failed',
      errorData: {},
    });
    expect(lastNoted('external.prove')).toMatchObject({ result: 'failure', reason: 'disabled user' });
    await services.database.updateTable('users').set({ status: 'active' }).execute();

    const back = await at.company.visit(await leave(browser, (await beginSignIn(browser, portal)).returnUrl));
    await services.database.updateTable('connections').set({ disabled_at: new Date() }).execute();
    expect(await readError(browser, await browser.visit(back.href))).toMatchObject({
      error: 'external_sign_in_failed',
    });
    await expectNoSession(browser);
  });
});

async function sitesOf(userName: string): Promise<string[]> {
  const rows = await application()
    .services.database.selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('sites', 'sites.id', 'memberships.site_id')
    .select('sites.name')
    .where('users.user_name', '=', userName)
    .orderBy('sites.name')
    .execute();
  return rows.map(({ name }) => name);
}
