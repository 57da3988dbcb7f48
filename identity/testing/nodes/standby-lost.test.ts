import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findPostgresProgram, startTemporaryPostgres } from '../../../tools/test/postgres.ts';
import { findFreePort } from '../../../tools/start/ports.ts';
import { chaos, chaosTimeoutMs, reportFigure } from './chaos.ts';
import { offerSignIns } from './load.ts';
import { addManyUsers } from './many-users.ts';
import { createServerSchema } from './server-schema.ts';
import { startNodes } from './use-nodes.ts';
import type { Nodes } from './use-nodes.ts';
import { until } from '../until.ts';

// Attacks and faults, F03: a primary without its synchronous standby accepts statements, but never acknowledges a commit.

vi.setConfig({ testTimeout: chaosTimeoutMs });

const poolSize = 5;

describe.runIf(findPostgresProgram('initdb') !== undefined)('two nodes whose synchronous standby', () => {
  let nodes: Nodes;
  let users: Awaited<ReturnType<typeof addManyUsers>>;
  let stopServer: () => Promise<void>;

  beforeAll(async () => {
    const postgres = await startTemporaryPostgres();
    if (postgres === undefined) throw new Error('PostgreSQL is installed, but did not start');
    stopServer = postgres.stop;
    const schema = await createServerSchema('synchronous_commit=on', postgres.url);
    nodes = await startNodes(0, {
      schema,
      env: {
        DATABASE_POOL_SIZE: String(poolSize),
        DATABASE_STATEMENT_TIMEOUT_SECONDS: '2',
      },
    });
    for (const name of nodeNames) {
      const url = new URL(schema.url);
      url.searchParams.set('application_name', name);
      await nodes.add({ DATABASE_URL: url.href, METRICS_PORT: String(await findFreePort()) });
    }
    users = await addManyUsers(schema.database, 200);
  });
  afterAll(async () => {
    await awaitStandby('');
    await nodes.close();
    await stopServer();
  });

  const nodeNames = ['node-one', 'node-two'];
  async function awaitStandby(name: string): Promise<void> {
    await sql`alter system set synchronous_standby_names = ${sql.lit(name)}`.execute(nodes.database);
    await sql`select pg_reload_conf()`.execute(nodes.database);
  }
  /** The connections of each node, as counted by the server. */
  async function countConnections(): Promise<number[]> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from pg_stat_activity where application_name in (${sql.join(nodeNames)})
      group by application_name`.execute(nodes.database);
    return rows.map(({ count }) => count);
  }

  test('is lost under load: requests get 503, connections do not exceed the pools, readiness does not flap, and the nodes recover by themselves [F03]', async () => {
    const { load, stop } = offerSignIns(nodes, users, chaos.requestsPerSecond);
    await until(() => load.served > 20);
    await awaitStandby('lost');
    await until(() => load.deferred > 0);

    const askReadiness = () =>
      Promise.all(
        [0, 1].map(
          async (index) => (await nodes.openBrowser().at(nodes.at(index)).visit('/health/ready')).status,
        ),
      );
    await expect.poll(askReadiness).toEqual([503, 503]);
    const seenReadiness = new Set<number>();
    let mostConnections = 0;
    const deferred = load.deferred + 10 * chaos.awaySeconds;
    await until(async () => {
      mostConnections = Math.max(mostConnections, ...(await countConnections()));
      for (const status of await askReadiness()) seenReadiness.add(status);
      return load.deferred > deferred;
    });
    expect(mostConnections).toBeLessThanOrEqual(poolSize);
    expect([...seenReadiness]).toEqual([503]);

    await awaitStandby('');
    const restoredMs = performance.now();
    const served = load.served;
    await until(() => load.served > served + 30);
    const seen = await stop();
    expect(seen.failed).toEqual([]);
    await expect.poll(askReadiness).toEqual([200, 200]);
    reportFigure({
      what: 'synchronous standby lost: longest answer',
      value: seen.longestAnswerMs,
      unit: 'ms',
      budget: { atMost: 3000 },
    });
    reportFigure({
      what: 'synchronous standby lost: last failure after its return',
      value: Math.max(0, (seen.lastFailureMs - restoredMs) / 1000),
      unit: 's',
      budget: { atMost: 5 },
    });
  });
});
