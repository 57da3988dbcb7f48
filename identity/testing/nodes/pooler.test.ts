import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/store/open-database.ts';
import { serverIsThere } from '../describe-store.ts';
import { findFreePort } from '../../../tools/start/ports.ts';
import { runOnServer } from '../run-on-server.ts';
import { createServerSchema } from './server-schema.ts';
import { until } from '../until.ts';

const program = '/usr/sbin/pgbouncer';
const nobody = 65_534;

/** Starts PgBouncer with fewer connections than its clients, so that the transactions of a client run on several connections. */
async function startPooler(server: URL): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'anteroom-pooler-'));
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  const file = join(folder, 'pgbouncer.ini');
  const { hostname, username, pathname } = server;
  const schema = server.searchParams.get('schema');
  writeFileSync(
    file,
    `[databases]
pooled = host=${hostname} port=${server.port || '5432'} user=${username} dbname=${pathname.slice(1)}${schema === null ? '' : ` connect_query='set search_path = ${schema}'`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
pool_mode = transaction
default_pool_size = 2
ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout
`,
    { mode: 0o644 },
  );
  const isRoot = process.getuid?.() === 0;
  const child = spawn(program, [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  let output = '';
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  onTestFinished(async () => {
    child.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true });
  });
  await until(() => output.includes('process up'));
  return port;
}

describe.runIf(serverIsThere() && existsSync(program))('behind PgBouncer in transaction mode', () => {
  test('transactions and migrations work, and statements have no names', async () => {
    const schema = await createServerSchema();
    onTestFinished(() => schema.drop());
    const server = new URL(inject('testDatabaseUrl'));
    server.searchParams.set('schema', schema.name);
    const port = await startPooler(server);
    const limits = { poolSize: 6, statementTimeoutSeconds: 20, connectionTimeoutSeconds: 20 };
    const pooled = await openDatabase(
      { kind: 'server', urls: [`postgres://${server.username}@127.0.0.1:${port}/pooled`], ...limits },
      pino({ level: 'silent' }),
    );
    onTestFinished(() => pooled.close());
    const processes = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        pooled.database.transaction().execute(async (transaction) => {
          const inserted = await transaction
            .insertInto('limits')
            .values({ key: `pooler-${index}`, used: 1, expires_at: new Date(Date.now() + 60_000) })
            .returning('used')
            .executeTakeFirstOrThrow();
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
          return [inserted.used, rows[0]?.pid];
        }),
      ),
    );
    expect(new Set(processes.map(([, pid]) => pid)).size).toBe(2);
    const { rows } = await sql`select name from pg_prepared_statements`.execute(pooled.database);
    expect(rows).toEqual([]);
  });

  test.each([
    ["datestyle = 'German'", undefined],
    ["timezone = 'Pacific/Kiritimati'", undefined],
    ["bytea_output = 'escape'", "bytea_output must be 'hex', and is 'escape'"],
    ["search_path = ''", 'search_path must name a schema that exists'],
  ])('a database with %s works, or is refused with the reason', async (setting, reason) => {
    const name = `pooled_${process.pid}_${setting.replaceAll(/\W/g, '').slice(0, 8).toLowerCase()}`;
    const administration = inject('testDatabaseUrl');
    await runOnServer(administration, `create database ${name} template ${inject('serverTemplate')}`);
    onTestFinished(
      async () => void (await runOnServer(administration, `drop database ${name} with (force)`)),
    );
    await runOnServer(administration, `alter database ${name} set ${setting}`);
    const server = new URL(administration);
    server.pathname = `/${name}`;
    const port = await startPooler(server);
    const limits = { poolSize: 6, statementTimeoutSeconds: 20, connectionTimeoutSeconds: 20 };
    const urls: [string] = [`postgres://${server.username}@127.0.0.1:${port}/pooled`];
    const opening = openDatabase({ kind: 'server', urls, ...limits }, pino({ level: 'silent' }));
    if (reason !== undefined) return await expect(opening).rejects.toThrow(reason);
    const { database, close } = await opening;
    const times = await Promise.all(
      Array.from({ length: 20 }, () =>
        sql<{ at: Date }>`select '2026-02-03 04:05:06+00'::timestamptz as at`.execute(database),
      ),
    );
    expect(new Set(times.map(({ rows }) => rows[0]?.at.toISOString()))).toEqual(
      new Set(['2026-02-03T04:05:06.000Z']),
    );
    await close();
  });
});
