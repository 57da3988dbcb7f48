import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { portal } from '../application.ts';
import { startBreakableProxy } from '../breakable-proxy.ts';
import type { BreakableProxy } from '../breakable-proxy.ts';
import type { Browser } from '../browser.ts';
import { serverIsThere } from '../describe-store.ts';
import { findFreePort } from '../../../tools/start/ports.ts';
import { askUserInfo, redeem, secretary, sendPassword, signIn } from '../journeys.ts';
import { beginSignIn } from '../relying-party.ts';
import { chaos, chaosTimeoutMs, waitSeconds, reportFigure } from './chaos.ts';
import { offerSignIns } from './load.ts';
import type { Load } from './load.ts';
import { addManyUsers } from './many-users.ts';
import { readMetrics } from './node-metrics.ts';
import { createServerSchema } from './server-schema.ts';
import { startNodes } from './use-nodes.ts';
import type { Nodes } from './use-nodes.ts';
import { until } from '../until.ts';

// Attacks and faults, F03 and F04: temporary failures of the database of two nodes under load.

vi.setConfig({ testTimeout: chaosTimeoutMs });

const poolSize = 5;
/** The limit of waiting statements in `server-pool.ts`. */
const waitingPerConnection = 20;

type Observed = Load & {
  recoverySeconds: number;
  /** The 99th percentile of the event-loop lag of the slower node, during the failure. */
  eventLoopLagMs: number;
  /** The open connections, and below the waiting requests, of the busier node at the end of the failure. */
  open: number;
  waiting: number;
  /** The connections of both nodes at the end, as counted by the server. */
  onServer: number;
};

describe.runIf(serverIsThere())('two nodes whose database', () => {
  let nodes: Nodes;
  let proxy: BreakableProxy;
  let users: Awaited<ReturnType<typeof addManyUsers>>;
  let metricsPorts: number[];

  beforeAll(async () => {
    const schema = await createServerSchema();
    const url = new URL(schema.url);
    proxy = await startBreakableProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${proxy.port}`;
    nodes = await startNodes(0, {
      schema: { ...schema, url: url.href },
      env: {
        DATABASE_POOL_SIZE: String(poolSize),
        DATABASE_STATEMENT_TIMEOUT_SECONDS: '2',
      },
    });
    metricsPorts = await Promise.all([findFreePort(), findFreePort()]);
    await Promise.all(metricsPorts.map((port) => nodes.add({ METRICS_PORT: String(port) })));
    users = await addManyUsers(schema.database, 200);
  });
  afterAll(async () => {
    await nodes.close();
    await proxy.close();
  });

  /** Causes a failure under load and ends it. Returns what visitors experienced, and how long the recovery took. */
  async function underLoad(
    breakIt: () => unknown,
    { seconds = chaos.awaySeconds, meanwhile }: { seconds?: number; meanwhile?: () => Promise<unknown> } = {},
  ): Promise<Observed> {
    const { load, stop } = offerSignIns(nodes, users, chaos.requestsPerSecond);
    await until(() => load.served > 20);
    // reading the metrics resets the event-loop lag
    await Promise.all(metricsPorts.map(readMetrics));
    await breakIt();
    const broken = waitSeconds(seconds);
    await meanwhile?.();
    await broken;
    const metrics = await Promise.all(metricsPorts.map(readMetrics));
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from pg_stat_activity where application_name = ${nodes.schema.name}`.execute(
      nodes.database,
    );
    const most = (name: string): number => Math.max(...metrics.map((of) => of(name)));
    proxy.restore();
    const restoredMs = performance.now();
    const served = load.served;
    await until(() => load.served > served + 30);
    const after = await stop();
    for (const { child } of nodes.each)
      expect(child.process.exitCode, child.output().slice(-2000)).toBeNull();
    await nodes.database.deleteFrom('limits').execute();
    return {
      ...after,
      recoverySeconds: Math.max(0, (after.lastFailureMs - restoredMs) / 1000),
      eventLoopLagMs: most('nodejs_eventloop_lag_p99_seconds') * 1000,
      open: most('anteroom_database_connections{state="open"}'),
      waiting: most('anteroom_database_connections{state="waiting"}'),
      onServer: rows[0]?.count ?? 0,
    };
  }

  function expectNoPileUp({ open, waiting, onServer, eventLoopLagMs }: Observed): void {
    expect(open).toBeLessThanOrEqual(poolSize);
    expect(onServer).toBeLessThanOrEqual(poolSize * metricsPorts.length);
    expect(waiting).toBeLessThanOrEqual(poolSize * waitingPerConnection);
    expect(eventLoopLagMs).toBeGreaterThan(0);
  }

  function reportLag({ eventLoopLagMs }: Observed): void {
    reportFigure({
      what: 'event loop lag of a node, 99th percentile',
      value: eventLoopLagMs,
      unit: 'ms',
      budget: { atMost: 100 },
    });
  }

  test('is stopped under load: requests get 503 with Retry-After, nothing invalid is accepted, and the nodes recover by themselves [F03]', async () => {
    const ended = nodes.openBrowser();
    await signIn(ended);
    const stolen = nodes.openBrowser();
    for (const [name, cookie] of ended.cookies) stolen.cookies.set(name, cookie);
    await ended.post('/api/ui/auth/sign-out', {});
    const started = await signIn(nodes.openBrowser());
    const tokens = (await redeem(nodes, started)).json();
    await redeem(nodes, started);
    const waiting = await beginSignIn(ended, portal);

    const refused: number[] = [];
    const seen = await underLoad(() => proxy.disconnect(), {
      meanwhile: async () => {
        const answers = await Promise.all([
          stolen.call('/api/ui/sites'),
          redeem(nodes, started),
          askUserInfo(nodes, tokens['access_token']),
          ...Array.from({ length: 20 }, () =>
            sendPassword(ended, waiting, { ...secretary, password: 'wrong' }),
          ),
        ]);
        refused.push(...answers.map(({ status }) => status));
      },
    });
    expect(refused.filter((status) => status < 400)).toEqual([]);
    expect(seen.failed).toEqual([]);
    expect(seen.deferred).toBeGreaterThan(0);
    expect((await stolen.call('/api/ui/sites')).status).toBe(401);
    expect((await redeem(nodes, started)).status).toBe(400);
    expect((await askUserInfo(nodes, tokens['access_token'])).status).toBe(401);
    reportFigure({
      what: `database away ${chaos.awaySeconds} s: deferred with 503`,
      value: seen.deferred,
      unit: 'calls',
    });
    reportFigure({
      what: 'other errors',
      value: seen.failed.length,
      unit: 'calls',
      budget: { atMost: 0 },
    });
    reportFigure({
      what: 'last failure after its return',
      value: seen.recoverySeconds,
      unit: 's',
      budget: { atMost: 5 },
    });
  });

  test('ends every connection under load: requests in flight may get 503, and no request fails otherwise [F03]', async () => {
    const seen = await underLoad(
      () =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${nodes.schema.name}`.execute(
          nodes.database,
        ),
      { seconds: 0 },
    );
    expect(seen.failed).toEqual([]);
    reportFigure({
      what: 'all connections ended: other errors',
      value: seen.failed.length,
      unit: 'calls',
      budget: { atMost: 0 },
    });
  });

  test('stops answering: silent connections are closed and replaced [F03]', async () => {
    const seen = await underLoad(() => proxy.dropPackets());
    expect(seen.failed).toEqual([]);
    expect(seen.deferred).toBeGreaterThan(0);
    expectNoPileUp(seen);
    reportFigure({
      what: `database silent ${chaos.awaySeconds} s: longest answer`,
      value: seen.longestAnswerMs,
      unit: 'ms',
      budget: { atMost: 3000 },
    });
    reportFigure({
      what: `database silent ${chaos.awaySeconds} s: last failure after its return`,
      value: seen.recoverySeconds,
      unit: 's',
      budget: { atMost: 5 },
    });
  });

  test('answers with a delay of 500 ms: excess requests get 503, and requests without the database are answered [F04]', async () => {
    const live: number[] = [];
    const seen = await underLoad(() => proxy.slowDown(500), {
      meanwhile: async () => void live.push((await nodes.openBrowser().visit('/health/live')).status),
    });
    expect(live).toEqual([200]);
    expect(seen.failed).toEqual([]);
    expectNoPileUp(seen);
    reportFigure({
      what: 'every answer of the database 500 ms late: longest answer',
      value: seen.longestAnswerMs,
      unit: 'ms',
    });
    reportLag(seen);
  });

  test('answers with a delay of 5 s: statements time out, nothing piles up, and the nodes recover by themselves [F04]', async () => {
    const live: number[] = [];
    const seen = await underLoad(() => proxy.slowDown(5000), {
      meanwhile: async () => void live.push((await nodes.openBrowser().visit('/health/live')).status),
    });
    expect(live).toEqual([200]);
    expect(seen.failed).toEqual([]);
    expect(seen.deferred).toBeGreaterThan(0);
    expectNoPileUp(seen);
    reportFigure({
      what: 'every answer of the database 5 s late: longest answer',
      value: seen.longestAnswerMs,
      unit: 'ms',
    });
    reportLag(seen);
    reportFigure({
      what: 'last failure after it is fast again',
      value: seen.recoverySeconds,
      unit: 's',
      budget: { atMost: 8 },
    });
  });

  test('has a locked table, so that the pool is exhausted: waiting requests get 503, and others are answered [F03, F04]', async () => {
    const browsers: ({ browser: Browser } & Awaited<ReturnType<typeof beginSignIn>>)[] = [];
    // one after the other, because thirty at once would wait for a connection on a slow machine
    for (let begun = 0; begun < 30; begun += 1) {
      const browser = nodes.openBrowser();
      browsers.push({ browser, ...(await beginSignIn(browser, portal)) });
    }
    await nodes.database.transaction().execute(async (transaction) => {
      await sql`lock table limits in access exclusive mode`.execute(transaction);
      const signingIn = browsers.map(({ browser, returnUrl }, index) =>
        sendPassword(browser, { returnUrl }, users[index]),
      );
      const others = await Promise.all([
        nodes.openBrowser().visit('/health/live'),
        nodes.openBrowser().visit('/ui/config.json'),
      ]);
      expect(others.map(({ status }) => status)).not.toContain(503);
      for (const { status, headers } of await Promise.all(signingIn))
        expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^[12]$/)]);
    });
    const [first] = browsers;
    expect((await sendPassword(first!.browser, first!, users[0])).status).toBe(200);
  });
});
