import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { Log } from '../lib/log.ts';
import { lockDirectory } from './directory-lock.ts';
import { migrate } from './migrate.ts';
import type { Database, Tables } from './schema.ts';
import { createServerPool } from './server-pool.ts';
import type { ConnectionCounts, ServerSettings } from './server-pool.ts';
import type { StatementWatch } from './statement-watch.ts';

/** The timeout of a migration's statement. */
const migrationSeconds = 300;

export type OpenDatabase = {
  database: Database;
  /** Maintenance that a PostgreSQL server performs by itself, but the embedded database does not. */
  maintain: () => Promise<unknown>;
  /** Counts of server connections for metrics; absent for the embedded database, which has only one connection. */
  connections?: () => ConnectionCounts;
  close: () => Promise<void>;
};

/**
 * Opens the configured database and applies the migrations.
 * @throws DirectoryLockError if another process uses the embedded database
 */
export async function openDatabase(
  settings: Config['database'],
  log: Log,
  watch?: StatementWatch,
): Promise<OpenDatabase> {
  const opened =
    settings.kind === 'embedded' ? await openEmbedded(settings, watch) : openServer(settings, log, watch);
  try {
    const applied =
      settings.kind === 'embedded' ? await migrate(opened.database) : await migrateServer(settings, log);
    log.info({ database: settings.kind, migrations: applied }, 'database ready');
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openEmbedded(
  settings: Extract<Config['database'], { kind: 'embedded' }>,
  watch: StatementWatch | undefined,
): Promise<OpenDatabase> {
  const directory = join(settings.directory, 'database');
  const lock = lockDirectory(directory);
  try {
    if (!existsSync(directory)) await createDirectory(directory);
    // loaded only here, because a node on a PostgreSQL server does not need it
    const { createEmbeddedClient, createEmbeddedDatabase, openPGlite } =
      await import('./embedded-database.ts');
    const pglite = await openPGlite({ dataDir: directory });
    const database = createEmbeddedDatabase(await createEmbeddedClient(pglite), watch);
    return {
      database,
      maintain: () => vacuum(database),
      close: async () => {
        await database.destroy();
        if (!pglite.closed) await pglite.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Uses a separate connection: migrating large tables, or waiting for another node's migration, takes longer than the statement timeout. */
async function migrateServer(settings: ServerSettings, log: Log): Promise<string[]> {
  const migrating = { ...settings, poolSize: 1, statementTimeoutSeconds: migrationSeconds };
  const { database, close } = openServer(migrating, log, undefined);
  try {
    return await migrate(database);
  } finally {
    await close();
  }
}

function openServer(settings: ServerSettings, log: Log, watch: StatementWatch | undefined): OpenDatabase {
  const pool = createServerPool(settings, log);
  const dialect = new PostgresDialect({ pool });
  const database = new Kysely<Tables>({ dialect, ...(watch && { log: watch.note }) });
  return {
    database,
    maintain: () => Promise.resolve(),
    connections: pool.counts,
    close: () => database.destroy(),
  };
}

/**
 * The threshold for a vacuum: a fifth of the table, as for PostgreSQL's autovacuum, but with a larger minimum that is
 * worth the work.
 */
const smallestWaste = 1_000;
const wastedShare = 0.2;

/**
 * Frees the space of changed and deleted rows, table by table. A PostgreSQL server does this by itself; the embedded
 * database has no background processes, so its tables would grow with every sign-in. Returns the vacuumed tables.
 */
export async function vacuum(database: Database): Promise<string[]> {
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_stat_user_tables
    where n_dead_tup > ${smallestWaste}::int + ${wastedShare}::float8 * n_live_tup order by relname`.execute(
    database,
  );
  for (const { relname } of rows) await sql`vacuum (analyze) ${sql.table(relname)}`.execute(database);
  return rows.map(({ relname }) => relname);
}

/**
 * Gathers the statistics that plans depend on. Not for an empty table: its plans would read the whole table, also after
 * it has grown.
 */
export async function gatherStatistics(
  database: Database,
  tables: readonly (keyof Tables)[] = [],
): Promise<void> {
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(database);
}

/** The database of a release, with the tables of its version (`tools/bundle/prepare-database.ts`). The sources have none. */
const prepared = fileURLToPath(new URL('./prepared-database', import.meta.url));
const program = fileURLToPath(new URL('./create-directory.ts', import.meta.url));

/**
 * Creates a new embedded database; the caller holds its lock. It is a draft until its last step, so that an interrupted
 * process leaves only a draft.
 */
async function createDirectory(directory: string): Promise<void> {
  removeDrafts(directory);
  const draft = mkdtempSync(`${directory}.new-`);
  if (existsSync(prepared)) await cp(prepared, draft, { recursive: true });
  else await createInChild(draft);
  renameSync(draft, directory);
}

/**
 * A child process does the work, because it needs 150 MB and more (measured), which the service would retain; a worker
 * thread does not release it either.
 */
async function createInChild(draft: string): Promise<void> {
  const child = spawn(process.execPath, [program, draft], {
    // The pipe closes when this process ends in any way, and then the child ends too.
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The database in ${dirname(draft)} could not be created`);
}

function removeDrafts(directory: string): void {
  const parent = dirname(directory);
  for (const name of readdirSync(parent)) {
    if (name.startsWith(`${basename(directory)}.new-`)) rmSync(join(parent, name), { recursive: true });
  }
}
