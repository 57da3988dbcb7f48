import { randomBytes } from 'node:crypto';
import { fingerprint } from '@anteroom/identity/provider/fingerprint';
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

/** One user for each state of the database that a verdict names. */
const states: Readonly<Record<string, string>> = {
  none: 'select 1',
  disabled: "update users set status = 'disabled' where id = $1",
  'no-membership': 'delete from memberships where user_id = $1',
  'membership-blocked': 'update memberships set entitlement_requirements_met = false where user_id = $1',
  'invitation-pending': `insert into invitations (token_hash, user_id, password_changed_at, expires_at, sent_at)
    select user_id, user_id, changed_at, now() + interval '1 day', now() from credentials where user_id = $1`,
  'invitation-expired': `insert into invitations (token_hash, user_id, password_changed_at, expires_at, sent_at)
    select user_id, user_id, changed_at, now() - interval '1 day', now() - interval '15 days'
    from credentials where user_id = $1`,
  'mail-bounced': `insert into mail_bounces (user_id, address, status, bounced_at)
    select id, email, '550', now() from users where id = $1`,
  'password-must-be-changed': 'update credentials set must_change = true where user_id = $1',
};
const userOf = (state: string): string => `person-${5_000 + Object.keys(states).indexOf(state)}`;

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
  // With an account that is locked out, the overview must find whose it is.
  await client.query(`insert into limits (key, used, expires_at, blocked_until)
    values ('nobody', 5, now() + interval '1 day', now() + interval '1 day')`);
  await client.query('vacuum (analyze)');
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
  try {
    await fillWithPeople(postgres.url, size, demoPort);
    const secret = randomBytes(32).toString('base64url');
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    try {
      await addEvents(client);
      await addClient(client, secret);
    } finally {
      await client.end();
    }
    const [port, metricsPort] = [await findFreePort(), await findFreePort()];
    const service = startService('The sign-in service', 'identity/src/main.ts', {
      PORT: String(port),
      DEMO_PORT: String(demoPort),
      DATABASE_URL: postgres.url,
      WEB_DIST: 'none',
      LOG_LEVEL: 'error',
      METRICS_PORT: String(metricsPort),
    });
    try {
      await waitUntilReady(service, { port, path: '/health/ready', publicHost: `localhost:${port}` });
      const issuer = `http://localhost:${port}`;
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
    await postgres.stop();
  }
}

export const operators: Bench = {
  name: 'operators',
  about: 'what operators ask with 100,000 people, 5,000 sites and 500,000 events',
  run,
};
