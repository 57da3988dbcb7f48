import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClients } from '../../testing/add-clients.ts';
import { portal, publicUrl, startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import type { Answer, Browser } from '../../testing/browser.ts';
import { startCollector } from '../../testing/collector.ts';
import type { Collector } from '../../testing/collector.ts';
import { createCommandLine } from '../../testing/command-line.ts';
import { openEmbeddedTestDatabase } from '../../testing/describe-store.ts';
import { askUserInfo, followToApplication, redeem, sendPassword } from '../../testing/journeys.ts';
import { latestCode } from '../../testing/outbox.ts';
import { obtainToken, useToken } from '../../testing/recovery.ts';
import { askForTokens, beginSignIn } from '../../testing/relying-party.ts';
import { connectSaml } from '../../testing/saml/connect.ts';
import { startSamlCompany } from '../../testing/saml/identity-provider.ts';
import { createKeysWithRsa } from '../../testing/saml/keys.ts';
import { leave, post } from '../../testing/saml/sign-on.ts';
import { spellingsOf } from '../../testing/spellings.ts';
import { demoPassword, demoUsers } from '../demo/demo-data.ts';
import { logFields } from '../lib/log.ts';
import { fingerprint } from '../provider/fingerprint.ts';
import type { Database } from '../store/schema.ts';
import { createStatementWatch } from '../store/statement-watch.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import { auditEvents } from './audit.ts';

// Runs the whole service with all logs, metrics and traces enabled, marks every secret that it handles, and then
// searches the output for each secret.

let application: TestApplication;
let collector: Collector;
let database: Database;
let sinks: Record<string, string>;
const secrets = new Map<string, string>();

const mark = (what: string, value = `Marked-${what}-${randomBytes(9).toString('hex')}`): string => {
  secrets.set(`${what} ${secrets.size}`, value);
  return value;
};
const keepCookies = ({ cookies }: Browser): void => {
  for (const [name, { value }] of cookies) if (value.length > 20) mark(`cookie ${name}`, value);
};

beforeAll(async () => {
  collector = await startCollector();
  const tracing = startTracing({ endpoint: collector.endpoint, ratio: 1 });
  const statements = createStatementWatch();
  const opened = await openEmbeddedTestDatabase(statements);
  ({ database } = opened);
  application = await startApplication(database, { tracing, statements, keys: createKeysWithRsa() });
  mark('password', demoPassword);
  for (const { phoneNumber } of demoUsers) if (phoneNumber !== undefined) mark('phone', phoneNumber);

  await signInWithCode();
  await signInOverCompany();
  await failInEveryWay();
  await changePassword();
  await recoverPassword();
  await workAsOperator();
  await application.services.audit.flush();
  await tracing.close();
  const { metrics } = application.services;
  sinks = {
    log: JSON.stringify(application.log),
    traces: collector.text(),
    metrics: await metrics.registry.metrics(),
    audit: JSON.stringify(await database.selectFrom('audit_events').selectAll().execute()),
    errors: JSON.stringify(await database.selectFrom('error_records').selectAll().execute()),
  };
  return async () => {
    await application.close();
    await opened.close();
  };
}, 60_000);
afterAll(() => collector.close());

const readCode = () => latestCode(database);

const verify = (browser: Browser, returnUrl: string, code: string): Promise<Answer> =>
  browser.post('/api/ui/verify-mfa-code', { returnUrl, code, publicComputerSignIn: false });

/** Signs in with password, code and site, uses and revokes the tokens, remembers the computer, and signs out. */
async function signInWithCode(): Promise<void> {
  const browser = application.openBrowser();
  const started = await beginSignIn(browser, portal, { scope: 'openid offline_access', prompt: 'consent' });
  keepCookies(browser);
  const director = { userName: 'director@demo.example', password: demoPassword };
  await browser.post('/api/ui/authenticate', { returnUrl: started.returnUrl, ...director });
  await verify(browser, started.returnUrl, mark('wrong code', '000000'));
  await verify(browser, started.returnUrl, mark('code', await readCode()));
  const chosen = await browser.post('/api/ui/auth/select-site', {
    returnUrl: started.returnUrl,
    site: 'harbor',
  });
  keepCookies(browser);
  const code = mark('authorisation code', (await followToApplication(browser, chosen)).get('code') ?? '');
  mark('code verifier', started.codeVerifier);
  const tokens = (await redeem(application, { ...started, code })).json();
  for (const name of ['access_token', 'refresh_token', 'id_token']) mark(name, String(tokens[name]));
  await askUserInfo(application, tokens['access_token']);
  const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']) };
  const refreshed = (await askForTokens(application.app, publicUrl, portal, refresh)).json();
  mark('refresh_token', String(refreshed['refresh_token']));
  keepCookies(browser);
  await application.app.inject({
    method: 'POST',
    url: '/connect/revocation',
    headers: { host: new URL(publicUrl).host, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      client_id: 'director',
      token: String(refreshed['refresh_token']),
    }).toString(),
  });
  // A second use of the authorization code, as by an attacker who has stolen it.
  await redeem(application, { ...started, code });
  await browser.post('/api/ui/auth/sign-out', {});
}

/** Signs in with a provider's signed response, which the browser posts from another site. */
async function signInOverCompany(): Promise<void> {
  const company = await startSamlCompany();
  const connection = { name: 'corp-idp', domains: ['corp.example'], sites: ['corp'] };
  await connectSaml(application, { ...connection, settings: company.settings });
  company.register((await application.openBrowser().visit('/saml/metadata/corp')).text);
  const browser = application.openBrowser();
  const started = await beginSignIn(browser, portal);
  const { fields } = await company.visit(await leave(browser, started.returnUrl));
  mark('SAML response of a company', fields['SAMLResponse'] ?? '');
  const location = (await post(application, '/saml/acs', fields)).headers['location'] ?? '';
  mark('ticket', new URL(location, publicUrl).searchParams.get('ticket') ?? '');
  const { address } = await browser.follow(location);
  mark('authorisation code', address.searchParams.get('code') ?? '');
  keepCookies(browser);
  // A replay of the response.
  await post(application, '/saml/acs', fields);
  await company.close();
}

async function failInEveryWay(): Promise<void> {
  const browser = application.openBrowser();
  const started = await beginSignIn(browser, portal);
  const site = { site: 'harbor' };
  await sendPassword(browser, started, {
    ...site,
    userName: 'secretary@demo.example',
    password: mark('wrong password'),
  });
  // A password in the user name field, as users type it by mistake.
  await sendPassword(browser, started, {
    ...site,
    userName: mark('password as a name'),
    password: mark('nothing'),
  });
  await browser.post('/api/ui/authenticate', {
    returnUrl: started.returnUrl,
    password: { $ne: mark('object') },
  });
  await browser.post('/api/ui/recovery/password-link', { userName: mark('name of nobody') });
  await browser.visit(`/connect/authorize?client_id=${mark('client')}&redirect_uri=https://evil.example`);
  await browser.visit(`/connect/session/end?id_token_hint=${mark('hint')}`);
  const secret = mark('client secret');
  await addClients(database, {
    confidential: {
      redirect_uris: ['https://c.example/callback'],
      client_secret: fingerprint(secret),
      token_endpoint_auth_method: 'client_secret_post',
    },
  });
  const confidential = { clientId: 'confidential', redirectUri: 'https://c.example/callback' };
  for (const client_secret of [secret, mark('wrong client secret')])
    await askForTokens(application.app, publicUrl, confidential, {
      grant_type: 'authorization_code',
      code: mark('code of nobody'),
      redirect_uri: confidential.redirectUri,
      client_secret,
    });
  // Invalid responses of identity providers.
  const assertion = Buffer.from(`<samlp:Response>${mark('assertion')}</samlp:Response>`).toString('base64');
  await application.app.inject({
    method: 'POST',
    url: '/saml/acs',
    headers: { host: new URL(publicUrl).host, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ SAMLResponse: mark('SAML response', assertion) }).toString(),
  });
  await browser.visit(`/external/callback?state=${mark('state')}&code=${mark('code of a provider')}`);
}

async function changePassword(): Promise<void> {
  const browser = application.openBrowser();
  const started = await beginSignIn(browser, portal);
  const newcomer = { site: 'harbor', userName: 'newcomer@demo.example', password: demoPassword };
  await sendPassword(browser, started, newcomer);
  const change = (currentPassword: string, newPassword: string) =>
    browser.post('/api/ui/password-reset', {
      returnUrl: started.returnUrl,
      currentPassword,
      newPassword,
      newPasswordConfirmation: newPassword,
    });
  const fresh = mark('new password');
  await change(mark('wrong present password'), fresh);
  await change(demoPassword, 'harbor');
  const changed = await change(demoPassword, fresh);
  keepCookies(browser);
  mark('authorisation code', (await followToApplication(browser, changed)).get('code') ?? '');
  // A session that has expired.
  application.clock.advanceSeconds(13 * 3600);
  await beginSignIn(browser, portal);
}

async function recoverPassword(): Promise<void> {
  const token = mark('link', await obtainToken(application, 'secretary@demo.example'));
  await useToken(application, token, 'short');
  await useToken(application, token, mark('password by link'));
  await useToken(application, token, mark('password by a used link'));
  const page = application.openBrowser();
  await page.call('/api/ui/recovery/context');
  await page.post('/api/ui/recovery/site-names', { email: 'secretary@demo.example' });
  await application.recovery.drain();
}

async function workAsOperator(): Promise<void> {
  const { run } = createCommandLine({ database }, application.clock);
  await run('users set-password secretary@demo.example --password-stdin', mark('password by an operator'));
  const openid =
    'connections add idp --display-name I --kind openid --issuer https://idp.example --client-id x';
  await run(`${openid} --secret-stdin`, mark('secret of a connection'));
  const added = await run(
    'clients add made --display-name M --redirect-uris https://m.example/callback --json',
  );
  mark('secret of a client', String(added.json().at(-1)?.['secret']));
  await run('sessions end --user newcomer@demo.example');
}

test.each(['log', 'traces', 'metrics', 'audit', 'errors'])(
  'no secret is in the %s, in any spelling [S64]',
  (sink) => {
    const text = sinks[sink] ?? '';
    expect(text.length).toBeGreaterThan(1);
    expect(secrets.size).toBeGreaterThan(40);
    for (const [what, secret] of secrets) {
      // Six digits occur in many numbers, so a one-time code is found only as a separate number.
      const isFound = /^\d{6}$/.test(secret)
        ? new RegExp(`(?<![\\d.])${secret}(?!\\d)`).test(text)
        : spellingsOf(secret).some((spelling) => text.includes(spelling));
      expect(isFound, what).toBe(false);
    }
  },
);

test('no password, token, cookie or code is in any table, except in messages of the outbox [S64]', async () => {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'outbox'`.execute(
    database,
  );
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(database);
    const text = JSON.stringify(rows);
    for (const [what, secret] of secrets) {
      // Phone numbers are stored with the user, and the stored authorization request may contain six digits.
      if (what.startsWith('phone') || /^\d{6}$/.test(secret)) continue;
      expect(
        spellingsOf(secret).some((spelling) => text.includes(spelling)),
        `${what} in ${name}`,
      ).toBe(false);
    }
  }
});

test('records every authentication event with time, request, result, reason, user and object [S64]', async () => {
  const events = await database.selectFrom('audit_events').selectAll().orderBy('number').execute();
  const seen = new Set(events.map(({ event, result }) => `${event} ${result}`));
  expect([...seen].toSorted()).toEqual(
    expect.arrayContaining([
      'client.authenticate failure',
      'code.exchange failure',
      'code.exchange success',
      'device.remember success',
      'external.prove failure',
      'external.prove success',
      'operator.change success',
      'password.change failure',
      'password.change success',
      'password.check failure',
      'password.check success',
      'recovery.new-password failure',
      'recovery.new-password success',
      'recovery.password-link failure',
      'recovery.password-link success',
      'recovery.site-names success',
      'second-factor.check failure',
      'second-factor.check success',
      'second-factor.send success',
      'session.begin success',
      'session.use-expired failure',
      'sign-in.finish success',
      'sign-out success',
      'site.choose success',
      'token.refresh success',
      'token.revoke success',
    ]),
  );
  const ofUsers = /^(password|second-factor|session|sign-in|sign-out|site|device)/;
  for (const event of events) {
    expect(event.at).toBeInstanceOf(Date);
    expect(event.correlation_id).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    if (event.result === 'failure' && event.event !== 'session.use-expired')
      expect(event.reason, event.event).toBeTruthy();
    if (ofUsers.test(event.event) && event.reason !== 'unknown user')
      expect(event.user_id, event.event).toBeTruthy();
    if (event.event === 'sign-in.finish')
      expect(event).toMatchObject({
        site: expect.any(String),
        session_hash: expect.any(String),
        client_id: 'director',
      });
    if (event.event === 'session.begin')
      expect(event.details).toMatchObject({
        methods: expect.stringMatching(/pwd|fed/),
        secondFactor: expect.any(String),
      });
    if (event.event === 'password.check') expect(event.details).toMatchObject({ factor: 'password' });
    if (event.event === 'second-factor.check') expect(event.details).toMatchObject({ factor: 'sms' });
  }
  const lines = application.log.filter(({ event }) => event !== undefined);
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines)
    expect(line).toMatchObject({
      time: expect.any(String),
      correlationId: expect.any(String),
      result: expect.any(String),
    });
});

test('log lines and audit events have no field that docs/observability.md does not list', async () => {
  const known = new Set(['level', 'time', 'msg', ...Object.keys(logFields)]);
  const fields = new Set(application.log.flatMap((line) => Object.keys(line)));
  expect([...fields].filter((field) => !known.has(field))).toEqual([]);
  const details: Readonly<Record<string, { details: readonly string[] }>> = auditEvents;
  const events = await database.selectFrom('audit_events').select(['event', 'details']).execute();
  for (const { event, details: noted } of events)
    expect([...(details[event]?.details ?? []), 'more'], event).toEqual(
      expect.arrayContaining(Object.keys(noted)),
    );
});
