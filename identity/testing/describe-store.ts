import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { createEmbeddedClient, createEmbeddedDatabase, openPGlite } from '../src/store/embedded-database.ts';
import type { EmbeddedClient } from '../src/store/embedded-database.ts';
import { createLog } from '../src/lib/log.ts';
import type { Database, Tables } from '../src/store/schema.ts';
import type { StatementWatch } from '../src/store/statement-watch.ts';
import { createServerPool } from '../src/store/server-pool.ts';
import { runOnServer } from './run-on-server.ts';

export type TestDatabase = { database: Database; kind: 'PGlite' | 'PostgreSQL'; close: () => Promise<void> };

/** The template is read once per process, because PGlite copies it. */
let template: ArrayBuffer | undefined;

function readTemplate(): Blob {
  template ??= new Uint8Array(readFileSync(inject('embeddedTemplate'))).buffer;
  const archive = template;
  // A real Blob would read its bytes in small pieces, which costs more than unpacking them.
  return Object.assign(new Blob([]), { arrayBuffer: () => Promise.resolve(archive) });
}

interface ReusableDatabase {
  client: EmbeddedClient;
  /** Deletes all rows. */
  empty: () => Promise<unknown>;
}

/**
 * Embedded databases that the tests of this process no longer use. Opening one takes half a second of CPU time, emptying
 * one a tenth of that.
 */
const unused: ReusableDatabase[] = [];

async function openReusable(): Promise<ReusableDatabase> {
  const pglite = await openPGlite({ loadDataDir: readTemplate() });
  const { rows } = await pglite.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'",
  );
  const tables = rows.map(({ name }) => name).join(', ');
  return {
    client: await createEmbeddedClient(pglite),
    empty: () => pglite.exec(`truncate ${tables} restart identity cascade`),
  };
}

/** An embedded database in memory, with all migrations and no rows. A test must restore the schema that it changes. */
export async function openEmbeddedTestDatabase(watch?: StatementWatch): Promise<TestDatabase> {
  const { client, empty } = unused.pop() ?? (await openReusable());
  // Kysely would close the database when it is destroyed
  const database = createEmbeddedDatabase({ ...client, close: () => Promise.resolve() }, watch);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // late statements of these tests fail, instead of reaching the next ones
    await database.destroy();
    await empty();
    unused.push({ client, empty });
  };
  return { database, kind: 'PGlite', close: () => (closing ??= close()) };
}

/** A fresh database on the PostgreSQL server, with all migrations; dropped by `close`. */
export async function openServerTestDatabase(): Promise<TestDatabase & { url: string }> {
  const name = `suite_${randomBytes(8).toString('hex')}`;
  const server = inject('testDatabaseUrl');
  await runOnServer(server, `create database ${name} template ${inject('serverTemplate')}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  // Test data need not survive a power failure.
  url.searchParams.set('options', '-c synchronous_commit=off');
  const settings = {
    kind: 'server' as const,
    urls: [url.href] as [string],
    poolSize: 10,
    statementTimeoutSeconds: 60,
    connectionTimeoutSeconds: 60,
  };
  const pool = createServerPool(settings, createLog('silent'));
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    database,
    kind: 'PostgreSQL',
    url: url.href,
    close: async () => {
      await database.destroy();
      await runOnServer(server, `drop database ${name} with (force)`);
    },
  };
}

/** Whether a PostgreSQL server answers. */
export const serverIsThere = (): boolean => inject('testDatabaseUrl') !== '';

/**
 * Defines a suite for each available kind of database. `define` receives a getter for the suite's database, which is created
 * before the first test, and its kind. All tests of a suite share the database, so they must use distinct names.
 */
export function describeStore(
  name: string,
  define: (store: () => TestDatabase, kind: TestDatabase['kind']) => void,
): void {
  const kinds: { kind: TestDatabase['kind']; open: () => Promise<TestDatabase> }[] = [
    { kind: 'PGlite', open: () => openEmbeddedTestDatabase() },
    ...(serverIsThere() ? [{ kind: 'PostgreSQL' as const, open: openServerTestDatabase }] : []),
  ];
  describe.each(kinds)(`${name} on $kind`, ({ kind, open }) => {
    let opened: TestDatabase | undefined;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    define(() => {
      if (opened === undefined) throw new Error('The database is not available before the first test runs');
      return opened;
    }, kind);
  });
}
