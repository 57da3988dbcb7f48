import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { portal } from '../application.ts';
import { startBreakableProxy } from '../breakable-proxy.ts';
import type { BreakableProxy } from '../breakable-proxy.ts';
import { serverIsThere } from '../describe-store.ts';
import { findFreePort } from '../free-port.ts';
import { askUserInfo, redeem, secretary, sendPassword, signIn } from '../journeys.ts';
import { beginSignIn } from '../relying-party.ts';
import { chaos, chaosTimeoutMs, lasting, tell } from './chaos.ts';
import { offerSignIns } from './load.ts';
import type { Load } from './load.ts';
import { addManyPeople } from './many-people.ts';
import { readFigures } from './node-figures.ts';
import { createServerSchema } from './server-schema.ts';
import { startNodes } from './use-nodes.ts';
import type { Nodes } from './use-nodes.ts';
import { until } from '../until.ts';

// Attacks and faults, F03 and F04: what happens to the database happens to two nodes under load, and passes.

vi.setConfig({ testTimeout: chaosTimeoutMs });

const poolSize = 5;
/** As `server-pool.ts` has it: past so many for each connection nobody waits any more. */
const waitingPerConnection = 20;

type Seen = Load & {
  troubleAfterSeconds: number;
  /** Of whichever node it was longest, 99 times of 100; measured while it was broken. */
  eventLoopLagMs: number;
  /** The most of any node, at its end. */
  open: number;
  waiting: number;
  /** Of both nodes together, as the server counts them at the end. */
  onServer: number;
};

describe.runIf(serverIsThere())('two nodes whose database', () => {
  let nodes: Nodes;
  let proxy: BreakableProxy;
  let people: Awaited<ReturnType<typeof addManyPeople>>;
  let figurePorts: number[];

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
        DATABASE_CONNECTION_TIMEOUT_SECONDS: '1',
      },
    });
    figurePorts = await Promise.all([findFreePort(), findFreePort()]);
    await Promise.all(figurePorts.map((port) => nodes.add({ METRICS_PORT: String(port) })));
    people = await addManyPeople(schema.database, 200);
  });
  afterAll(async () => {
    await nodes.close();
    await proxy.close();
  });

  /** Breaks something under load and mends it again; answers what visitors met, and how long after the mending. */
  async function underLoad(
    breakIt: () => unknown,
    { seconds = chaos.awaySeconds, meanwhile }: { seconds?: number; meanwhile?: () => Promise<unknown> } = {},
  ): Promise<Seen> {
    const { load, stop } = offerSignIns(nodes, people, chaos.requestsPerSecond);
    await until(() => load.served > 20);
    // each look at the lag begins it anew
    await Promise.all(figurePorts.map(readFigures));
    await breakIt();
    const broken = lasting(seconds);
    await meanwhile?.();
    await broken;
    const figures = await Promise.all(figurePorts.map(readFigures));
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from pg_stat_activity where application_name = ${nodes.schema.name}`.execute(
      nodes.database,
    );
    const most = (name: string): number => Math.max(...figures.map((of) => of(name)));
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
      troubleAfterSeconds: Math.max(0, (after.lastTroubleMs - restoredMs) / 1000),
      eventLoopLagMs: most('nodejs_eventloop_lag_p99_seconds') * 1000,
      open: most('anteroom_database_connections{state="open"}'),
      waiting: most('anteroom_database_connections{state="waiting"}'),
      onServer: rows[0]?.count ?? 0,
    };
  }

  function expectNoPileUp({ open, waiting, onServer, eventLoopLagMs }: Seen): void {
    expect(open).toBeLessThanOrEqual(poolSize);
    expect(onServer).toBeLessThanOrEqual(poolSize * figurePorts.length);
    expect(waiting).toBeLessThanOrEqual(poolSize * waitingPerConnection);
    expect(eventLoopLagMs).toBeGreaterThan(0);
  }

  function tellLag({ eventLoopLagMs }: Seen): void {
    tell({
      what: 'event loop of a node meanwhile, 99 times of 100',
      value: eventLoopLagMs,
      unit: 'ms',
      budget: { atMost: 100 },
    });
  }

  test('F03: is stopped under load and comes back: 503 with Retry-After, nobody gets in, all is well again by itself', async () => {
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
    const seen = await underLoad(() => proxy.breakOff(), {
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
    expect(seen.putOff).toBeGreaterThan(0);
    expect((await stolen.call('/api/ui/sites')).status).toBe(401);
    expect((await redeem(nodes, started)).status).toBe(400);
    expect((await askUserInfo(nodes, tokens['access_token'])).status).toBe(401);
    tell({
      what: `database away ${chaos.awaySeconds} s: put off with 503`,
      value: seen.putOff,
      unit: 'calls',
    });
    tell({
      what: 'answers of another kind meanwhile',
      value: seen.failed.length,
      unit: 'calls',
      budget: { atMost: 0 },
    });
    tell({
      what: 'last trouble after its return',
      value: seen.troubleAfterSeconds,
      unit: 's',
      budget: { atMost: 5 },
    });
  });

  test('F03: ends every connection under load: what was under way may be put off, and nothing else happens', async () => {
    const seen = await underLoad(
      () =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${nodes.schema.name}`.execute(
          nodes.database,
        ),
      { seconds: 0 },
    );
    expect(seen.failed).toEqual([]);
    tell({
      what: 'all connections ended: answers of another kind',
      value: seen.failed.length,
      unit: 'calls',
      budget: { atMost: 0 },
    });
  });

  test('F03: falls silent: connections that nobody answers on are given up, and new ones made', async () => {
    const seen = await underLoad(() => proxy.fallSilent());
    expect(seen.failed).toEqual([]);
    expect(seen.putOff).toBeGreaterThan(0);
    expectNoPileUp(seen);
    tell({
      what: `database silent ${chaos.awaySeconds} s: longest answer`,
      value: seen.longestAnswerMs,
      unit: 'ms',
      budget: { atMost: 3000 },
    });
    tell({
      what: `database silent ${chaos.awaySeconds} s: last trouble after its return`,
      value: seen.troubleAfterSeconds,
      unit: 's',
      budget: { atMost: 5 },
    });
  });

  test('F04: answers half a second later: what is too much is put off, what waits for nothing is answered', async () => {
    const live: number[] = [];
    const seen = await underLoad(() => proxy.slowDown(500), {
      meanwhile: async () => void live.push((await nodes.openBrowser().visit('/health/live')).status),
    });
    expect(live).toEqual([200]);
    expect(seen.failed).toEqual([]);
    expectNoPileUp(seen);
    tell({
      what: 'every answer of the database 500 ms late: longest answer',
      value: seen.longestAnswerMs,
      unit: 'ms',
    });
    tellLag(seen);
  });

  test('F04: answers five seconds later: time-outs, no pile-up, and recovery by itself', async () => {
    const live: number[] = [];
    const seen = await underLoad(() => proxy.slowDown(5000), {
      meanwhile: async () => void live.push((await nodes.openBrowser().visit('/health/live')).status),
    });
    expect(live).toEqual([200]);
    expect(seen.failed).toEqual([]);
    expect(seen.putOff).toBeGreaterThan(0);
    expectNoPileUp(seen);
    tell({
      what: 'every answer of the database 5 s late: longest answer',
      value: seen.longestAnswerMs,
      unit: 'ms',
    });
    tellLag(seen);
    tell({
      what: 'last trouble after it is quick again',
      value: seen.troubleAfterSeconds,
      unit: 's',
      budget: { atMost: 8 },
    });
  });

  test('F03, F04: has a table locked, until whoever waits has exhausted the pool: those are put off, everything else is answered', async () => {
    const browsers = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const browser = nodes.openBrowser();
        return { browser, ...(await beginSignIn(browser, portal)) };
      }),
    );
    await nodes.database.transaction().execute(async (transaction) => {
      await sql`lock table limits in access exclusive mode`.execute(transaction);
      const signingIn = browsers.map(({ browser, returnUrl }, index) =>
        sendPassword(browser, { returnUrl }, people[index]),
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
    expect((await sendPassword(first!.browser, first!, people[0])).status).toBe(200);
  });
});
