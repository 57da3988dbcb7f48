import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApplication } from '../../testing/application.ts';
import type { TestApplication } from '../../testing/application.ts';
import { makeBuiltFrontEnd } from '../../testing/built-front-end.ts';
import { countStatements } from '../../testing/count-statements.ts';
import { describeStore, openServerTestDatabase, serverIsThere } from '../../testing/describe-store.ts';
import { createLog } from '../lib/log.ts';
import { startMetricsServer } from '../metrics/metrics-server.ts';
import { openDatabase } from '../store/open-database.ts';

const started: TestApplication[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const application of started.splice(0)) await application.close();
});

async function start(...given: Parameters<typeof startApplication>): Promise<TestApplication> {
  const application = await startApplication(...given);
  started.push(application);
  return application;
}

async function askReadiness({ openBrowser }: TestApplication): Promise<number> {
  const answer = await openBrowser().visit('/health/ready');
  if (answer.status !== 200) expect(answer.json()).toEqual({ code: 'overloaded' });
  return answer.status;
}

/** Polls as a load balancer does, because the result of a check applies only from the next request on. */
async function expectRecovery(application: TestApplication): Promise<void> {
  const askLater = (): Promise<number> => {
    application.clock.advanceSeconds(1);
    return askReadiness(application);
  };
  await expect.poll(askLater).toBe(200);
}

describeStore('readiness', (store, kind) => {
  test('the database is checked at most once a second', async () => {
    const counted = countStatements(store().database);
    const application = await start(counted.database);
    await askReadiness(application);
    counted.reset();
    const answers = await Promise.all(Array.from({ length: 50 }, () => askReadiness(application)));
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(counted.statements()).toEqual([]);
    application.clock.advanceSeconds(1);
    await Promise.all(Array.from({ length: 50 }, () => askReadiness(application)));
    expect(counted.statements()).toHaveLength(1);
  });

  test('ends when the node lacks a key in use, and names the setting to operators only', async () => {
    const { database } = store();
    const application = await start(database);
    expect(await askReadiness(application)).toBe(200);
    const other = { setting: 'SIGNING_JWKS', key_id: 'other', production: true, since: new Date() };
    await database.insertInto('keys_in_use').values(other).execute();
    application.clock.advanceSeconds(1);
    expect(await askReadiness(application)).toBe(503);
    const report = await application.checkReadiness();
    expect(report.problems).toEqual([
      { check: 'keys', reason: expect.stringContaining('SIGNING_JWKS: the key in use (other)') },
    ]);
    await database.deleteFrom('keys_in_use').execute();
    await expectRecovery(application);
  });

  test('requires the front end, unless another server serves it', async () => {
    const { database } = store();
    const WEB_DIST = makeBuiltFrontEnd();
    const application = await start(database, { settings: { WEB_DIST } });
    expect(await askReadiness(application)).toBe(200);
    rmSync(WEB_DIST, { recursive: true });
    application.clock.advanceSeconds(1);
    expect(await askReadiness(application)).toBe(503);
    const { problems } = await application.checkReadiness();
    expect(problems).toEqual([{ check: 'front-end', reason: expect.stringContaining(WEB_DIST) }]);
    const without = await start(database, { settings: { WEB_DIST } });
    expect(await askReadiness(without)).toBe(503);
    const elsewhere = await start(database, { settings: { WEB_DIST: 'none' } });
    expect(await askReadiness(elsewhere)).toBe(200);
  });

  test.runIf(kind === 'PGlite')('ends while the database is read-only, although it answers', async () => {
    const { database } = store();
    const application = await start(database);
    expect(await askReadiness(application)).toBe(200);
    await sql`set default_transaction_read_only = on`.execute(database);
    application.clock.advanceSeconds(1);
    expect(await askReadiness(application)).toBe(503);
    expect((await application.checkReadiness()).problems).toEqual([
      { check: 'database', reason: expect.stringContaining('only reads') },
    ]);
    await sql`set default_transaction_read_only = off`.execute(database);
    await expectRecovery(application);
    expect(application.log.filter(({ msg }) => msg === 'not ready')).toHaveLength(1);
  });

  test.runIf(kind === 'PostgreSQL')(
    'ends while the clocks of the machine and the database differ by a minute',
    async () => {
      const application = await start(store().database);
      expect(await askReadiness(application)).toBe(200);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
      application.clock.advanceSeconds(1);
      expect(await askReadiness(application)).toBe(503);
      expect((await application.checkReadiness()).problems).toEqual([
        { check: 'clock', reason: expect.stringContaining('61 s ahead') },
      ]);
    },
  );

  test('the port of the metrics returns the reasons as JSON', async () => {
    const application = await start(store().database, { settings: { WEB_DIST: '/nowhere' } });
    const { registry } = application.services.metrics;
    const at = { port: 0, host: '127.0.0.1' };
    const server = await startMetricsServer(registry, at, application.checkReadiness);
    try {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({
        ready: false,
        problems: [{ check: 'front-end', reason: expect.stringContaining('/nowhere') }],
        warnings: [],
      });
    } finally {
      server.close();
    }
  });
});

describe.runIf(serverIsThere())('readiness of a node whose connections are all in use', () => {
  let schema: Awaited<ReturnType<typeof openServerTestDatabase>>;
  let busy: Awaited<ReturnType<typeof openDatabase>>;

  beforeAll(async () => {
    schema = await openServerTestDatabase();
    const limits = { poolSize: 1, statementTimeoutSeconds: 60, connectionTimeoutSeconds: 1 };
    busy = await openDatabase({ kind: 'server', urls: [schema.url], ...limits }, createLog('silent'));
  });
  afterAll(async () => {
    await busy.close();
    await schema.close();
  });

  test('does not change', async () => {
    const application = await start(busy.database);
    expect(await askReadiness(application)).toBe(200);
    await busy.database.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      application.clock.advanceSeconds(1);
      expect(await askReadiness(application)).toBe(200);
    });
  });
});
