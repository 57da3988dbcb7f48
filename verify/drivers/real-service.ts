import { randomInt } from 'node:crypto';
import { startApplication } from '../../identity/testing/application.ts';
import type { TestApplication } from '../../identity/testing/application.ts';
import { connect } from '../../identity/testing/company/connect.ts';
import { startOpenidCompany } from '../../identity/testing/company/openid-company.ts';
import { openEmbeddedTestDatabase } from '../../identity/testing/describe-store.ts';
import { findFreePort } from '../../tools/start/ports.ts';
import { connectSaml } from '../../identity/testing/saml/connect.ts';
import { createSigner } from '../../identity/testing/saml/responses.ts';
import { demoPassword } from '@anteroom/identity/demo/demo-data';
import type { Account, AccountKind } from '../src/scenario.ts';
import { serveControls } from './controls.ts';
import type { StartedService } from './controls.ts';

const samlSite = 'quarry';

/** Starts this project's service on an embedded database. Creates a user for each requested account. */
export async function startRealService(): Promise<StartedService> {
  const { database, close: closeDatabase } = await openEmbeddedTestDatabase();
  const [port, demoPort] = [await findFreePort(), await findFreePort()];
  const regionOrigin = 'http://localhost:1';
  const application = await startApplication(database, {
    settings: {
      PORT: String(port),
      DEMO_PORT: String(demoPort),
      REGIONS: `here=http://localhost:${port},there=${regionOrigin}`,
    },
    logLevel: 'silent',
  });
  const origin = `http://localhost:${port}`;
  const portal = `http://localhost:${demoPort}`;
  const company = await startOpenidCompany({ redirectUri: `${origin}/external/callback` });
  await connect(application, {
    name: 'openid-company',
    settings: { issuer: company.issuer, clientId: company.clientId },
    clientSecret: company.clientSecret,
    sites: ['corp'],
  });
  await addSamlSite(application);
  await application.app.listen({ port, host: 'localhost' });

  const controls = await serveControls({
    createAccount: (kind) => addAccount(application, kind),
    async readCode(phoneNumber) {
      const newest = await database
        .selectFrom('outbox')
        .select('text')
        .where('recipient', '=', phoneNumber)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow();
      return newest.text;
    },
    advanceSeconds: (seconds) => application.clock.advanceSeconds(seconds),
  });
  const authorize = (redirectUri: string): string =>
    `/connect/authorize?${[
      'client_id=director',
      `redirect_uri=${encodeURIComponent(redirectUri)}`,
      'response_type=code&scope=openid+profile+email&state={random}&nonce={random}',
      'code_challenge={random}&code_challenge_method=S256',
    ].join('&')}`;
  const signedOut = `${portal}/signed-out`;
  return {
    url: origin,
    scenario: {
      clientId: 'director',
      sites: {
        open: 'harbor',
        foreign: 'corp',
        unknown: 'no-such-site',
        federated: 'corp',
        saml: samlSite,
      },
      offers: ['organisations', 'finished sign-ins'],
      regionOrigin,
      signIn: authorize(`${portal}/callback`),
      signOut: {
        address: `/connect/session/end?client_id=director&post_logout_redirect_uri=${encodeURIComponent(signedOut)}`,
        returnsTo: signedOut,
      },
      error: authorize('http://localhost:1/elsewhere'),
      ...controls.actions,
    },
    async close() {
      await controls.close();
      await application.close();
      await company.close();
      await closeDatabase();
    },
  };
}

async function addSamlSite(application: TestApplication): Promise<void> {
  const { database, random, clock } = application.services;
  await database
    .insertInto('sites')
    .values({
      id: random.token(8),
      name: samlSite,
      display_name: 'Quarry Partners',
      sequence: 0,
      allow_password_entry: false,
      created_at: clock.now(),
    })
    .execute();
  const settings = {
    issuer: 'https://saml.example/metadata',
    entryPoint: 'https://saml.example/sso',
    certificates: [createSigner('Quarry').certificate],
  };
  await connectSaml(application, { name: 'saml-company', settings, sites: [samlSite] });
}

const sitesOf: Record<AccountKind, readonly string[]> = {
  password: ['harbor'],
  code: ['harbor', 'northwind'],
  'password-change': ['harbor'],
};

async function addAccount({ services }: TestApplication, kind: AccountKind): Promise<Account> {
  const { database, clock, random, passwords } = services;
  const [id, now] = [random.token(16), clock.now()];
  const userName = `${id.toLowerCase()}@verify.example`;
  // Numbers that Ofcom reserves for drama use.
  const phoneNumber = kind === 'code' ? `+4477009${String(randomInt(100_000)).padStart(5, '0')}` : undefined;
  await database
    .insertInto('users')
    .values({
      id,
      user_name: userName,
      email: userName,
      first_name: 'Ada',
      last_name: 'Verify',
      phone_number: phoneNumber,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await database.insertInto('sign_in_names').values({ name_key: userName, user_id: id }).execute();
  const hash = await passwords.hash(demoPassword);
  await database
    .insertInto('credentials')
    .values({ user_id: id, password_hash: hash, must_change: kind === 'password-change', changed_at: now })
    .execute();
  const sites = await database.selectFrom('sites').select('id').where('name', 'in', sitesOf[kind]).execute();
  for (const site of sites)
    await database
      .insertInto('memberships')
      .values({ user_id: id, site_id: site.id, created_at: now })
      .execute();
  return { userName, password: demoPassword, sites: sitesOf[kind], ...(phoneNumber && { phoneNumber }) };
}
