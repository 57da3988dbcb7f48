import { demoPassword } from '@anteroom/testkit/demo-users';
import type { Credentials } from '@anteroom/testkit/sign-in-visit';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { findFreePort } from '../../tools/start/ports.ts';
import { startService, stopService, waitUntilReady } from '../../tools/start/service.ts';

export interface Size {
  people: number;
  sites: number;
}

/** Increase this number when the data changes, so that old data is not measured. */
const generation = 1;
const marker = 'bench people';
const rowsAtOnce = 50_000;
/** A step that is coprime to every size, so that successive turns are spread over all users. */
const stride = 7919;

/** A user who needs only a password. Each turn has a different user. */
export function personOf(turn: number, { people, sites }: Size): Credentials {
  const number = (turn * stride) % people;
  return {
    site: `scale-${number % sites}`,
    userName: `person-${number}@scale.example`,
    password: demoPassword,
  };
}

/**
 * Fills the schema of the URL with users and sites, in addition to the demo data: groups of ten sites, three sites per
 * user, and to-dos at one of the three. Each statement adds 50,000 users; shows the progress; reuses existing data.
 */
export async function fillWithPeople(url: string, size: Size, demoPort: number): Promise<void> {
  await makeTables(url, demoPort);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const wanted = { generation, ...size };
    const found = await client.query<{ value: object }>('select value from settings where name = $1', [
      marker,
    ]);
    if (isDeepStrictEqual(found.rows[0]?.value, wanted)) return;
    await fillSites(client, size.sites);
    for (let first = 0; first < size.people; first += rowsAtOnce) {
      const last = Math.min(first + rowsAtOnce, size.people) - 1;
      await fillSome(client, first, last, size.sites);
      drawBar((last + 1) / size.people, `${last + 1} people`);
    }
    await client.query('vacuum (analyze)');
    await client.query(
      'insert into settings (name, value) values ($1, $2::json::text::jsonb) on conflict (name) do update set value = excluded.value',
      [marker, JSON.stringify(wanted)],
    );
  } finally {
    await client.end();
  }
}

/** Lets the service create its tables and the demo data. */
async function makeTables(url: string, demoPort: number): Promise<void> {
  const port = await findFreePort();
  const service = startService('The sign-in service', 'identity/src/main.ts', {
    PORT: String(port),
    DEMO_PORT: String(demoPort),
    DATABASE_URL: url,
    WEB_DIST: 'none',
    LOG_LEVEL: 'error',
  });
  await waitUntilReady(service, { port, path: '/health/ready', publicHost: `localhost:${port}` });
  await stopService(service);
}

async function fillSites(client: Client, sites: number): Promise<void> {
  await client.query(
    `insert into sites (id, name, display_name, parent_id, sequence, created_at)
    select 'scale-' || n, 'scale-' || n, 'Site ' || n, case when n % 10 > 0 then 'scale-' || (n - n % 10) end, n % 10, now()
    from generate_series(0, $1::int - 1) n on conflict do nothing`,
    [sites],
  );
}

async function fillSome(client: Client, first: number, last: number, sites: number): Promise<void> {
  await client.query('begin');
  const range = [first, last];
  await client.query(
    `insert into users (id, user_name, email, first_name, last_name, created_at, updated_at)
    select 'person-' || n, 'person-' || n || '@scale.example', 'person-' || n || '@scale.example', 'Person', n::text, now(), now()
    from generate_series($1::int, $2::int) n on conflict do nothing`,
    range,
  );
  await client.query(
    `insert into sign_in_names (name_key, user_id)
    select 'person-' || n || '@scale.example', 'person-' || n from generate_series($1::int, $2::int) n on conflict do nothing`,
    range,
  );
  await client.query(
    `insert into credentials (user_id, password_hash, changed_at)
    select 'person-' || n, (
      select password_hash from credentials join sign_in_names using (user_id) where name_key = 'secretary@demo.example'
    ), now() from generate_series($1::int, $2::int) n on conflict do nothing`,
    range,
  );
  await client.query(
    `insert into memberships (user_id, site_id, created_at)
    select 'person-' || n, 'scale-' || site % $3::int, now()
    from generate_series($1::int, $2::int) n, lateral (values (n::bigint), (n::bigint * 7 + 1), (n::bigint * 13 + 5)) of_person (site)
    on conflict do nothing`,
    [...range, sites],
  );
  await client.query(
    `insert into to_dos (user_id, site_id, pending_votes, updated_at)
    select 'person-' || n, 'scale-' || n % $3::int, 1, now() from generate_series($1::int, $2::int) n on conflict do nothing`,
    [...range, sites],
  );
  await client.query('commit');
}

const barWidth = 40;

function drawBar(share: number, label: string): void {
  const done = Math.round(share * barWidth);
  const end = share < 1 ? '\r' : '\n';
  process.stderr.write(`  [${'#'.repeat(done)}${' '.repeat(barWidth - done)}] ${label}${end}`);
}
