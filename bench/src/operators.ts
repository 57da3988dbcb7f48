import { randomBytes } from 'node:crypto';
import { fingerprint } from '@anteroom/identity/provider/fingerprint';
import { demoParty } from '@anteroom/testkit/demo-users';
import { beginSignIn, sendPassword } from '@anteroom/testkit/sign-in-visit';
import { createVisitor } from '@anteroom/testkit/visitor';
import { Client } from 'pg';
import { findFreePort } from '../../tools/start/ports.ts';
import { startService, stopService, waitUntilReady } from '../../tools/start/service.ts';
import { startTemporaryPostgres } from '../../tools/test/postgres.ts';
import type { Bench, Figure } from './figure.ts';
import { postgresProcessorSeconds } from './processor-time.ts';
import { watch } from './rates.ts';
import { fillWithPeople } from './scale-people.ts';
import type { Size } from './scale-people.ts';

const size: Size = { people: 100_000, sites: 5_000 };
const demoPort = 4401;
const events = 500_000;
const warmUp = 5;
const repeated = 40;
const budgetMs = 100;
const scopes = 'users:read sites:read members:read audit:read';

/** The site of the user's events. */
const siteOfUser = `('scale-' || substr($1, 8)::int % ${size.sites})`;

/** Changes a user into one who must sign in at a company. */
const moveToCompany = (name: string, disabledAt: string): string => `
  with company as (
    insert into connections (id, name, display_name, kind, settings, disabled_at, created_at, updated_at)
    values ('${name}', '${name}', '${name}', 'openid',
      '{"issuer":"https://${name}.example","clientId":"anteroom"}', ${disabledAt}, now(), now()) returning id
  ), domain as (
    insert into connection_domains (domain, connection_id) select id || '.example', id from company
  ), password as (delete from credentials where user_id = $1)
  update users set email = id || '@${name}.example' where id = $1`;

/** One user for each verdict. `lock` makes those of the two that count failures. */
const states: Readonly<Record<string, string>> = {
  none: 'select 1',
  disabled: "update users set status = 'disabled' where id = $1",
  'no-membership': 'delete from memberships where user_id = $1',
  'membership-blocked': 'update memberships set entitlement_requirements_met = false where user_id = $1',
  'site-disabled': `update sites set disabled_at = now() where name = ${siteOfUser}`,
  'account-locked': 'select 1',
  'address-locked': 'select 1',
  'invitation-pending': `insert into invitations (token_hash, user_id, password_changed_at, expires_at, sent_at)
    select user_id, user_id, changed_at, now() + interval '1 day', now() from credentials where user_id = $1`,
  'invitation-expired': `insert into invitations (token_hash, user_id, password_changed_at, expires_at, sent_at)
    select user_id, user_id, changed_at, now() - interval '1 day', now() - interval '15 days'
    from credentials where user_id = $1`,
  'mail-bounced': `insert into mail_bounces (user_id, address, status, bounced_at)
    select id, email, '550', now() from users where id = $1`,
  'must-sign-in-at-the-company': moveToCompany('company', 'null'),
  'connection-disabled': moveToCompany('former-company', 'now()'),
  'required-factor-missing': `update sites set second_factor_required = true where name = ${siteOfUser}`,
  'code-budget-used-up': `
    with site as (update sites set second_factor_required = true where name = ${siteOfUser}), codes as (
      insert into code_messages (id, user_id, number_hash, number_range, sent_at)
      select $1 || '-' || n, $1, 'number', '+44 20', now() from generate_series(1, 10) n
    )
    update users set phone_number = '+442079460155' where id = $1`,
  'password-must-be-changed': 'update credentials set must_change = true where user_id = $1',
};
const userOf = (state: string): string => `person-${5_000 + Object.keys(states).indexOf(state)}`;
const numberOf = (name: string): number => Number(/\d+/.exec(name)?.[0]);

/** What operators ask most, below `/api/manage/`. */
const requests: readonly [what: string, path: string][] = [
  ['search, one match', 'users?search=person-74321@'],
  ['search, many matches', 'users?search=person-7'],
  ['search, the last name of one user', 'users?search=98765'],
  ['search, no match', 'users?search=nobody%20at%20all'],
  ['search, an account', 'users?search=person-4711'],
  ['search, a reference', 'users?search=reference-4711'],
  ['list of users', 'users'],
  ['list of users, far on', `users?after=${Buffer.from('{"userName":"person-9"}').toString('base64url')}`],
  ['list of users of a site', 'users?site=scale-4000'],
  ['list of disabled users', 'users?disabled=true'],
  ['list of invited users', 'users?invited=true'],
  ['list of users whose mail bounced', 'users?bounced=true'],
  ['list of sites', 'sites'],
  ['tree of sites', 'sites?tree=true'],
  [
    'tree of sites, far on',
    `sites?tree=true&after=${Buffer.from('{"name":"scale-4000"}').toString('base64url')}`,
  ],
  ['search of sites', 'sites?search=4321'],
  ['people of a site', 'sites/scale-4000/members'],
  ['search among the people of a site', 'sites/scale-4000/members?search=person'],
  ['page of a user', 'users/person-4711'],
  ['overview', 'overview'],
  ['audit', 'audit'],
  ['audit of a user', 'audit?user=person-4711'],
  ['audit of a site', 'audit?site=scale-4000'],
  ['audit of a reference', 'audit?correlation=reference-4711'],
  ['audit of an event that has not occurred', 'audit?event=token.revoke'],
  ['audit of a user who has none of the events', 'audit?user=person-4711&event=token.revoke'],
  ['audit of an application', 'audit?event=client.authenticate&result=failure&since=30d'],
  ...Object.keys(states).map((state): [string, string] => [
    `verdict ${state}`,
    `users/${userOf(state)}/story`,
  ]),
];

async function addEvents(client: Client): Promise<void> {
  await client.query(
    `insert into audit_events (at, event, result, reason, user_id, site, correlation_id, address, details)
    select now() - n * interval '20 seconds', case when n % 3 = 0 then 'sign-in.finish' else 'password.check' end,
      case when n % 5 = 1 then 'failure' else 'success' end, case when n % 5 = 1 then 'wrong password' end,
      'person-' || n * 31 % $1::int, 'scale-' || n * 31 % $1::int % $2::int, 'reference-' || n, '192.0.2.1', '{}'
    from generate_series(1, $3::int) n`,
    [size.people, size.sites, events],
  );
  // A user who has entered a password is no longer invited.
  const invited = Object.keys(states).filter((state) => state.startsWith('invitation'));
  await client.query('delete from audit_events where user_id = any($1::text[])', [invited.map(userOf)]);
  for (const [state, statement] of Object.entries(states))
    await client.query(statement, statement.includes('$1') ? [userOf(state)] : []);
  // Refusals of the company that came before any user was known, and a counter for each user.
  await client.query(`insert into audit_events (at, event, result, reason, connection, correlation_id, details)
    select now() - n * interval '10 seconds', 'external.prove', 'failure', 'signature_invalid', 'company', 'refusal-' || n, '{}'
    from generate_series(1, 5000) n`);
  await client.query(
    `insert into limits (key, used, expires_at) select 'counter-' || n, 1, now() + interval '1 day'
    from generate_series(1, $1::int) n`,
    [size.people],
  );
  await client.query('vacuum (analyze)');
}

const failuresOfAddress = 20;

/** Locks an account and an address with wrong passwords, because counters have keyed hashes of their names. */
async function lock(client: Client, issuer: string): Promise<void> {
  const fail = async (address: string, userName: string): Promise<number> => {
    const visitor = createVisitor({ 'X-Forwarded-For': address });
    const signIn = await beginSignIn(visitor, issuer, demoParty(demoPort));
    const site = `scale-${numberOf(userName) % size.sites}`;
    return (await sendPassword(signIn, { site, userName, password: 'wrong' })).status;
  };
  while ((await fail('10.0.0.1', `${userOf('account-locked')}@scale.example`)) !== 429);
  await fail('10.0.0.2', `${userOf('address-locked')}@scale.example`);
  for (let other = 0; (await fail('10.0.0.2', `nobody-${other}`)) !== 429; other += 1);
  await client.query(
    "update limits set blocked_until = now() + interval '1 day' where blocked_until > now()",
  );
}

async function addClient(client: Client, secret: string): Promise<void> {
  await client.query(
    `insert into clients (id, display_name, customizations, metadata, created_at)
    values ('bench', 'Bench', '{}', $1, now())`,
    [
      JSON.stringify({
        client_secret: fingerprint(secret),
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['client_credentials'],
        management_scopes: scopes,
      }),
    ],
  );
}

async function askForToken(issuer: string, secret: string): Promise<string> {
  const answer = await fetch(`${issuer}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'bench',
      client_secret: secret,
      grant_type: 'client_credentials',
      scope: scopes,
      resource: `${issuer}/api/manage`,
    }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function run(): Promise<Figure[]> {
  const postgres = await startTemporaryPostgres();
  if (!postgres) throw new Error('PostgreSQL is not installed.');
  const client = new Client({ connectionString: postgres.url });
  try {
    await fillWithPeople(postgres.url, size, demoPort);
    const secret = randomBytes(32).toString('base64url');
    await client.connect();
    await addEvents(client);
    await addClient(client, secret);
    const [port, metricsPort] = [await findFreePort(), await findFreePort()];
    const service = startService('The sign-in service', 'identity/src/main.ts', {
      PORT: String(port),
      DEMO_PORT: String(demoPort),
      DATABASE_URL: postgres.url,
      TRUSTED_PROXIES: '127.0.0.1,::1',
      LIMIT_ADDRESS_FAILURES: String(failuresOfAddress),
      WEB_DIST: 'none',
      LOG_LEVEL: 'error',
      METRICS_PORT: String(metricsPort),
    });
    try {
      await waitUntilReady(service, { port, path: '/health/ready', publicHost: `localhost:${port}` });
      const issuer = `http://localhost:${port}`;
      await lock(client, issuer);
      const headers = { authorization: `Bearer ${await askForToken(issuer, secret)}` };
      const { processorSeconds } = watch(metricsPort, () => postgresProcessorSeconds(postgres.data));
      const figures: Figure[] = [];
      for (const [what, path] of requests) {
        const ask = async (): Promise<void> => {
          const answer = await fetch(`${issuer}/api/manage/${path}`, { headers });
          const text = await answer.text();
          if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
          const verdict = /^verdict (.+)/.exec(what)?.[1];
          if (verdict !== undefined && !text.includes(`"verdict":{"cause":"${verdict}"`))
            throw new Error(`${path} is not ${verdict}: ${text.slice(0, 200)}`);
        };
        for (let turn = 0; turn < warmUp; turn += 1) await ask();
        const before = await processorSeconds();
        for (let turn = 0; turn < repeated; turn += 1) await ask();
        const value = ((await processorSeconds()) - before) * (1000 / repeated);
        figures.push({ what: `${what}, processor time`, value, unit: 'ms', budget: { atMost: budgetMs } });
      }
      return figures;
    } finally {
      await stopService(service);
    }
  } finally {
    await client.end();
    await postgres.stop();
  }
}

export const operators: Bench = {
  name: 'operators',
  about: 'what operators ask with 100,000 people, 5,000 sites and 500,000 events',
  run,
};
