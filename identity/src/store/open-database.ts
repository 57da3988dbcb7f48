import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect } from 'kysely';
import type { Log } from '../lib/log.ts';
import type { Config } from '../config.ts';
import { createDirectory } from './create-directory.ts';
import { createEmbeddedDatabase } from './embedded-database.ts';
import { lockDirectory } from './directory-lock.ts';
import { migrate } from './migrate.ts';
import type { Database, Tables } from './schema.ts';
import { createServerPool } from './server-pool.ts';
import type { ConnectionCounts, ServerSettings } from './server-pool.ts';
import type { StatementWatch } from './statement-watch.ts';
import { vacuum } from './vacuum.ts';

/** The timeout of a migration's statement. */
const migrationSeconds = 300;

export type OpenDatabase = {
  database: Database;
  /** Maintenance that a PostgreSQL server performs by itself, but the embedded database does not. */
  maintain: () => Promise<unknown>;
  /** Counts of server connections for metrics; absent for the embedded database, which has one. */
  connections?: () => ConnectionCounts;
  close: () => Promise<void>;
};

/** Opens the configured database and applies the migrations. @throws DirectoryLockError if another process uses the embedded database */
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
    const pglite = await PGlite.create(directory);
    const database = await createEmbeddedDatabase(pglite, watch);
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
