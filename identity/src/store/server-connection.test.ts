import { sql } from 'kysely';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { serverIsThere } from '../../testing/describe-store.ts';
import { openDatabase } from './open-database.ts';
import type { OpenDatabase } from './open-database.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

const figures = { poolSize: 3, statementTimeoutSeconds: 1, connectionTimeoutSeconds: 1 };
const log = pino({ level: 'silent' });

describe.runIf(serverIsThere())('a connection to a PostgreSQL server', () => {
  let schema: string;
  let server: OpenDatabase;

  beforeAll(async () => {
    schema = `connections_${process.pid}`;
    const url = new URL(inject('testDatabaseUrl'));
    url.searchParams.set('options', `-c search_path=${schema}`);
    const client = new Client({ connectionString: inject('testDatabaseUrl') });
    await client.connect();
    await client.query(`create schema ${schema}`);
    await client.end();
    server = await openDatabase({ kind: 'server', url: url.href, ...figures }, log);
  });

  afterAll(async () => {
    await sql`drop schema ${sql.id(schema)} cascade`.execute(server.database);
    await server.close();
  });

  const terminateOthers = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'anteroom' and pid <> pg_backend_pid()
          and query like ${'%' + 'mine' + '%'}`.execute(server.database);

  test('connections that the server drops while idle do not end the process, and the next query works', async () => {
    await Promise.all([1, 2, 3].map((n) => sql`select ${n}::int as mine`.execute(server.database)));
    await terminateOthers();
    await expect
      .poll(() => sql`select 1 as one`.execute(server.database).then((r) => r.rows))
      .toEqual([{ one: 1 }]);
  });

  test('a connection that is dropped between the statements of a transaction fails that transaction alone', async () => {
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

  test('a statement that takes too long is cut, and counts as "try again in a moment"', async () => {
    const failure = await sql`select pg_sleep(5)`.execute(server.database).catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
  });

  test('a server that is not there counts as "try again in a moment"', async () => {
    const failure = await openDatabase(
      { kind: 'server', url: 'postgres://nobody@127.0.0.1:1/none', ...figures },
      log,
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(failure) || isDatabaseUnavailable((failure as Error).cause)).toBe(true);
  });
});
