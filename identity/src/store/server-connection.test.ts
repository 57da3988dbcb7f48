import { sql } from 'kysely';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { startBreakableProxy } from '../../testing/breakable-proxy.ts';
import { serverIsThere } from '../../testing/describe-store.ts';
import { openDatabase } from './open-database.ts';
import type { OpenDatabase } from './open-database.ts';
import type { Database } from './schema.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

const settings = { poolSize: 3, statementTimeoutSeconds: 1, connectionTimeoutSeconds: 1 };
const log = pino({ level: 'silent' });

describe.runIf(serverIsThere())('a connection to a PostgreSQL server', () => {
  let schema: string;
  let server: OpenDatabase;
  let urls: [string];

  beforeAll(async () => {
    schema = `connections_${process.pid}`;
    const url = new URL(inject('testDatabaseUrl'));
    url.searchParams.set('options', `-c search_path=${schema}`);
    const client = new Client({ connectionString: inject('testDatabaseUrl') });
    await client.connect();
    await client.query(`create schema ${schema}`);
    await client.end();
    urls = [url.href];
    server = await openDatabase({ kind: 'server', urls, ...settings }, log);
  });

  afterAll(async () => {
    await sql`drop schema ${sql.id(schema)} cascade`.execute(server.database);
    await server.close();
  });

  const terminateOthers = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'anteroom' and pid <> pg_backend_pid()
          and query like ${'%' + 'mine' + '%'}`.execute(server.database);

  test('idle connections that the server closes do not end the process, and the next query works', async () => {
    await Promise.all([1, 2, 3].map((n) => sql`select ${n}::int as mine`.execute(server.database)));
    await terminateOthers();
    await expect
      .poll(() => sql`select 1 as one`.execute(server.database).then((r) => r.rows))
      .toEqual([{ one: 1 }]);
  });

  test('a connection lost between two statements of a transaction fails only that transaction', async () => {
    const failure = await server.database
      .transaction()
      .execute(async (transaction) => {
        await sql`select 'mine'`.execute(transaction);
        await terminateOthers();
        await sql`select 1`.execute(transaction);
      })
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    await expect
      .poll(() => sql`select 1 as one`.execute(server.database).then((r) => r.rows))
      .toEqual([{ one: 1 }]);
  });

  test('a statement that takes too long is cancelled and reported as temporary', async () => {
    const failure = await sql`select pg_sleep(5)`.execute(server.database).catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
  });

  const namedStatements = async (database: Database) =>
    (
      await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(database)
    ).rows.map(({ statement }) => statement);

  test('a statement is parsed once per connection, unless it returns all columns of a table', async () => {
    await server.database.connection().execute(async (connection) => {
      for (const _ of [1, 2]) {
        await sql`select 'kept' as once`.execute(connection);
        await sql`select * from (select 'anew' as each_time) as answer`.execute(connection);
      }
      const statements = await namedStatements(connection);
      expect(statements.filter((text) => text.includes('once'))).toHaveLength(1);
      expect(statements.filter((text) => text.includes('each_time'))).toHaveLength(0);
    });
  });

  test('a statement is sent without a name if a migration changed its result or the server lost its name', async () => {
    await server.database.connection().execute(async (connection) => {
      const read = async () => (await sql`select amount from changing`.execute(connection)).rows;
      await sql`create table changing (amount int)`.execute(connection);
      await sql`insert into changing values (1)`.execute(connection);
      expect(await read()).toEqual([{ amount: 1 }]);
      await sql`alter table changing alter amount type text`.execute(connection);
      expect(await read()).toEqual([{ amount: '1' }]);
      await sql`deallocate all`.execute(connection);
      expect(await read()).toEqual([{ amount: '1' }]);
    });
  });

  test('goes to the writable server if several servers are configured', async () => {
    const [url] = urls;
    const readOnly = new URL(url);
    readOnly.searchParams.set('options', `-c search_path=${schema} -c default_transaction_read_only=on`);
    const nobody = 'postgres://nobody@127.0.0.1:1/none';
    const several = await openDatabase(
      { kind: 'server', urls: [nobody, readOnly.href, url], ...settings },
      log,
    );
    await sql`create table if not exists written (at timestamptz)`.execute(several.database);
    const { numAffectedRows } = await sql`insert into written values (now())`.execute(several.database);
    expect(numAffectedRows).toBe(1n);
    await several.close();
  });

  test('requests that begin after the promotion of a standby succeed, although the primary is silent', async () => {
    const startProxy = async () => {
      const { hostname, port } = new URL(urls[0]);
      const proxy = await startBreakableProxy({ host: hostname, port: Number(port || 5432) });
      onTestFinished(proxy.close);
      const url = new URL(urls[0]);
      url.host = `127.0.0.1:${proxy.port}`;
      return { ...proxy, url: url.href };
    };
    const primary = await startProxy();
    const standby = await startProxy();
    standby.disconnect();
    const both = await openDatabase(
      { kind: 'server', urls: [primary.url, standby.url], ...settings, connectionTimeoutSeconds: 2 },
      log,
    );
    onTestFinished(both.close);
    const askAtOnce = () =>
      Array.from({ length: 12 }, () => sql`select 1 as one`.execute(both.database).then(({ rows }) => rows));
    primary.dropPackets();
    for (const _ of [1, 2])
      for (const answer of await Promise.allSettled(askAtOnce()))
        expect(answer.status === 'rejected' && isDatabaseUnavailable(answer.reason)).toBe(true);

    const before = Promise.allSettled(askAtOnce());
    standby.restore();
    expect(await Promise.all(askAtOnce())).toEqual(Array.from({ length: 12 }, () => [{ one: 1 }]));
    await before;
  });

  test('a connection to a server that has become a standby is not reused', async () => {
    await server.database.connection().execute(async (connection) => {
      await sql`set default_transaction_read_only = on`.execute(connection);
      const failure = await sql`create table refused ()`.execute(connection).catch((error: unknown) => error);
      expect(isDatabaseUnavailable(failure)).toBe(true);
    });
    const { rows } = await sql`show default_transaction_read_only`.execute(server.database);
    expect(rows).toEqual([{ default_transaction_read_only: 'off' }]);
  });

  test('an unreachable server is reported as temporary', async () => {
    const failure = await openDatabase(
      { kind: 'server', urls: ['postgres://nobody@127.0.0.1:1/none'], ...settings },
      log,
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(failure) || isDatabaseUnavailable((failure as Error).cause)).toBe(true);
  });
});
