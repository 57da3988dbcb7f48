import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { inject } from 'vitest';
import type { Database, Tables } from '../../src/store/schema.ts';

export type ServerSchema = {
  name: string;
  /**
   * The URL for the service. It sets the schema's name as application name, so that a test can end exactly these
   * connections.
   */
  url: string;
  /** The test's own access, with separate connections. */
  database: Database;
  drop: () => Promise<void>;
};

/**
 * Creates an empty schema on a PostgreSQL server.
 * @param setting a setting for each connection, such as `default_tablespace=…`
 */
export async function createServerSchema(
  setting?: string,
  server = inject('testDatabaseUrl'),
): Promise<ServerSchema> {
  const name = `nodes_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  // test data need not survive a power failure
  const options = `-c search_path=${name} -c synchronous_commit=off`;
  url.searchParams.set('options', setting === undefined ? options : `${options} -c ${setting}`);
  url.searchParams.set('application_name', name);
  const pool = new Pool({ connectionString: server, max: 4, options });
  pool.on('error', () => undefined);
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await sql`create schema ${sql.id(name)}`.execute(database);
  return {
    name,
    url: url.href,
    database,
    drop: async () => {
      await sql`drop schema ${sql.id(name)} cascade`.execute(database);
      await database.destroy();
    },
  };
}
