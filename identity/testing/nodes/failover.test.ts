import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findPostgresProgram, startTemporaryPostgres } from '../../../tools/test/postgres.ts';
import type { TemporaryPostgres } from '../../../tools/test/postgres.ts';
import { publicUrl } from '../application.ts';
import { createBrowser } from '../browser.ts';
import type { Browser } from '../browser.ts';
import { signIn } from '../journeys.ts';
import { chaos, chaosTimeoutMs, tell } from './chaos.ts';
import { offerSignIns } from './load.ts';
import { addManyPeople } from './many-people.ts';
import { createServerSchema } from './server-schema.ts';
import { startNodes } from './use-nodes.ts';
import type { Nodes } from './use-nodes.ts';
import { until } from '../until.ts';

// Attacks and faults, F03 and F04: a primary that dies, and a standby that takes its place. Nodes know both by DATABASE_URL.

vi.setConfig({ testTimeout: chaosTimeoutMs });

async function startServer(standbyOf?: string): Promise<TemporaryPostgres> {
  const server = await startTemporaryPostgres(standbyOf);
  if (server === undefined) throw new Error('PostgreSQL is installed, but did not start');
  return server;
}

async function ask(server: TemporaryPostgres, ...statements: string[]): Promise<unknown[]> {
  const pool = new Pool({ connectionString: server.url, max: 1 });
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await pool.query(statement));
    return rows;
  } finally {
    await pool.end();
  }
}

const awaitStandbys = (server: TemporaryPostgres, names: string) =>
  ask(server, `alter system set synchronous_standby_names = '${names}'`, 'select pg_reload_conf()');

describe.runIf(findPostgresProgram('pg_basebackup') !== undefined)('two nodes whose primary', () => {
  let primary: TemporaryPostgres;
  let standby: TemporaryPostgres;
  let nodes: Nodes;
  let people: Awaited<ReturnType<typeof addManyPeople>>;

  beforeAll(async () => {
    primary = await startServer();
    standby = await startServer(primary.url);
    const schema = await createServerSchema('synchronous_commit=on', primary.url);
    const both = schema.url.replace(
      /localhost:\d+/,
      `localhost:${new URL(primary.url).port},localhost:${new URL(standby.url).port}`,
    );
    // the server that has the schema is gone by then
    const gone = { ...schema, drop: () => schema.database.destroy() };
    nodes = await startNodes(2, { schema: gone, env: { DATABASE_URL: both } });
    people = await addManyPeople(schema.database, 400);
    await awaitStandbys(primary, '*');
  });
  afterAll(async () => {
    await nodes.close();
    await Promise.all([primary.stop(), standby.stop()]);
  });

  test('F03: dies under load: no acknowledged sign-in is lost, and after the standby is promoted every sign-in succeeds within seconds', async () => {
    const acknowledged: Browser[] = [];
    let isOver = false;
    const signingIn = (async () => {
      for (let next = 200; !isOver; next += 1) {
        const browser = createBrowser(nodes.app, publicUrl);
        await signIn(browser, {}, people[next]);
        acknowledged.push(browser);
      }
    })().catch(() => undefined);
    const { load, stop } = offerSignIns(nodes, people.slice(0, 200), chaos.requestsPerSecond);
    await until(() => acknowledged.length >= (chaos.isFull ? 50 : 5) && load.served > 20);

    await primary.crash();
    isOver = true;
    await signingIn;
    await until(() => load.putOff > 0);
    await awaitStandbys(standby, '');
    await ask(standby, 'select pg_promote()');
    const promotedMs = performance.now();

    const served = load.served;
    await until(() => load.served > served + 30);
    const seen = await stop();
    expect(seen.failed).toEqual([]);
    const sessions = await Promise.all(
      acknowledged.map(async (browser) => (await browser.call('/api/ui/sites')).status),
    );
    expect(new Set(sessions)).toEqual(new Set([200]));
    tell({ what: 'failover: sign-ins acknowledged before', value: acknowledged.length, unit: 'calls' });
    tell({
      what: 'failover: last trouble after the promotion',
      value: Math.max(0, (seen.lastTroubleMs - promotedMs) / 1000),
      unit: 's',
      budget: { atMost: 5 },
    });
  });

  test('F04: returns as a standby of the new primary: the nodes stay with the one that they can write to', async () => {
    await primary.stop();
    primary = await startServer(standby.url);
    const { load, stop } = offerSignIns(nodes, people, chaos.requestsPerSecond);
    await until(() => load.served > 20);
    const seen = await stop();
    expect([seen.putOff, seen.failed]).toEqual([0, []]);
    expect(await ask(primary, 'select pg_is_in_recovery() as standby')).toEqual([{ standby: true }]);
  });
});
