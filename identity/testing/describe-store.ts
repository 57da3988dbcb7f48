import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { createEmbeddedClient, createEmbeddedDatabase, openPGlite } from '../src/store/embedded-database.ts';
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

/** A database that suites use one after another: emptying it is much cheaper than creating one. */
interface Reusable {
  /** Opens the database for a suite. */
  open: (watch?: StatementWatch) => Database;
  /** Runs statements on it outside of the suite; returns the rows of the last one. */
  run: (statements: string) => Promise<Record<string, unknown>[]>;
}

/** Databases that the tests of this process no longer use. */
const unusedEmbedded: Reusable[] = [];
const unusedOnServer: (Reusable & { url: string })[] = [];

/**
 * Writes the statements that delete all rows. Without triggers, foreign keys allow any order; `truncate` takes ten times
 * as long.
 */
const writeEmptying = `
  select string_agg(statement, ';' order by turn) as statements from (
    select 1 as turn, 'set session_replication_role = replica' as statement
    union all
    select 2, 'delete from ' || quote_ident(tablename) from pg_tables
    where schemaname = 'public' and tablename not like 'kysely%'
    union all
    select 3, format('select setval(%L, 1, false)', quote_ident(sequencename)) from pg_sequences
    union all
    select 4, 'set session_replication_role = origin'
  ) as emptying`;

/** The statements, written once in each process, because all databases have the same tables. */
let emptying: Promise<string> | undefined;

async function empty({ run }: Reusable): Promise<void> {
  emptying ??= run(writeEmptying).then(([row]) => String(row?.['statements']));
  await run(await emptying);
}

/** Lends a database to a suite, which returns it with `close`. A test must restore the schema that it changes. */
function lend<T extends Reusable>(
  reusable: T,
  unused: T[],
  watch?: StatementWatch,
): Pick<TestDatabase, 'database' | 'close'> {
  const database = reusable.open(watch);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // late statements of these tests fail, instead of reaching the next ones
    await database.destroy();
    await empty(reusable);
    unused.push(reusable);
  };
  return { database, close: () => (closing ??= close()) };
}

async function createEmbedded(): Promise<Reusable> {
  const pglite = await openPGlite({ loadDataDir: readTemplate() });
  const client = await createEmbeddedClient(pglite);
  return {
    // Kysely would close the database when it is destroyed
    open: (watch) => createEmbeddedDatabase({ ...client, close: () => Promise.resolve() }, watch),
    run: async (statements) => (await pglite.exec(statements)).at(-1)?.rows ?? [],
  };
}

/** An embedded database in memory, with all migrations and no rows. */
export async function openEmbeddedTestDatabase(watch?: StatementWatch): Promise<TestDatabase> {
  return { ...lend(unusedEmbedded.pop() ?? (await createEmbedded()), unusedEmbedded, watch), kind: 'PGlite' };
}

async function createOnServer(): Promise<Reusable & { url: string }> {
  const server = inject('testDatabaseUrl');
  const template = inject('serverTemplate');
  // the run drops the copies of its template at its end
  const name = `${template}_${randomBytes(4).toString('hex')}`;
  await runOnServer(server, `create database ${name} template ${template}`);
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
  return {
    url: url.href,
    open: () =>
      new Kysely<Tables>({
        dialect: new PostgresDialect({ pool: createServerPool(settings, createLog('silent')) }),
      }),
    run: async (statements) => runOnServer(url.href, `${endOtherConnections}; ${statements}`),
  };
}

/** A process that a test has started, and has not ended, must not reach the next tests. */
const endOtherConnections = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** A database on the PostgreSQL server, with all migrations and no rows. */
export async function openServerTestDatabase(): Promise<TestDatabase & { url: string }> {
  const reusable = unusedOnServer.pop() ?? (await createOnServer());
  return { ...lend(reusable, unusedOnServer), kind: 'PostgreSQL', url: reusable.url };
}

/** Whether a PostgreSQL server answers. */
export const serverIsThere = (): boolean => inject('testDatabaseUrl') !== '';

type DatabaseKind = { kind: TestDatabase['kind']; open: () => Promise<TestDatabase> };

const openDatabaseOf: Record<TestDatabase['kind'], DatabaseKind['open']> = {
  PGlite: () => openEmbeddedTestDatabase(),
  PostgreSQL: openServerTestDatabase,
};

/** The kinds of databases of this run, for `describe.each`; see `TEST_DATABASES` in `databases.global.ts`. */
export const databaseKinds: readonly DatabaseKind[] = inject('databaseKinds').map((kind) => ({
  kind,
  open: openDatabaseOf[kind],
}));

/** An empty database of the first kind, for tests that do not depend on it. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const [first] = inject('databaseKinds');
  return await openDatabaseOf[first]();
}

/**
 * Defines a suite for each kind of database. `define` receives a getter for the suite's database, which is created
 * before the first test, and its kind. All tests of a suite share the database, so they must use distinct names.
 */
export function describeStore(
  name: string,
  define: (store: () => TestDatabase, kind: TestDatabase['kind']) => void,
): void {
  describe.each(databaseKinds)(`${name} on $kind`, ({ kind, open }) => {
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
