import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createDirectory } from './create-directory.ts';
import { createEmbeddedDatabase } from './embedded-database.ts';
import { lockDirectory } from './directory-lock.ts';
import { migrate } from './migrate.ts';
import type { Database, Tables } from './schema.ts';
import { vacuum } from './vacuum.ts';

export type OpenDatabase = {
  database: Database;
  /** What a PostgreSQL server does by itself, and the embedded one leaves to us; from time to time. */
  maintain: () => Promise<unknown>;
  close: () => Promise<void>;
};

/**
 * Opens the configured database and brings it up to this version.
 * @throws DirectoryLockError when another process works on the embedded one.
 */
export async function openDatabase(settings: Config['database'], log: Logger): Promise<OpenDatabase> {
  const opened = settings.kind === 'embedded' ? await openEmbedded(settings) : openServer(settings, log);
  try {
    const applied = await migrate(opened.database);
    log.info({ database: settings.kind, migrations: applied }, 'database ready');
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openEmbedded(
  settings: Extract<Config['database'], { kind: 'embedded' }>,
): Promise<OpenDatabase> {
  const directory = join(settings.directory, 'database');
  const lock = lockDirectory(directory);
  try {
    if (!existsSync(directory)) await createDirectory(directory);
    const pglite = await PGlite.create(directory);
    const database = await createEmbeddedDatabase(pglite);
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

function openServer(settings: Extract<Config['database'], { kind: 'server' }>, log: Logger): OpenDatabase {
  const pool = new Pool({
    connectionString: settings.url,
    max: settings.poolSize,
    application_name: 'anteroom',
    keepAlive: true,
    connectionTimeoutMillis: settings.connectionTimeoutSeconds * 1000,
    statement_timeout: settings.statementTimeoutSeconds * 1000,
    // A statement whose answer never comes (a network that swallows packets) ends here a little after the server would have.
    query_timeout: (settings.statementTimeoutSeconds + 1) * 1000,
    idle_in_transaction_session_timeout: settings.statementTimeoutSeconds * 2000,
  });
  // Without these two listeners a connection that the server drops ends the process: the pool's is for idle
  // connections, the client's for one that is lent out and between two statements.
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection in use was lost'));
  });
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { database, maintain: () => Promise.resolve(), close: () => database.destroy() };
}
