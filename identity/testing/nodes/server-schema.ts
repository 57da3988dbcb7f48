import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { inject } from 'vitest';
import type { Database, Tables } from '../../src/store/schema.ts';

export type ServerSchema = {
  name: string;
  /** For the service: its connections call themselves by the schema's name, so that a test can end exactly these. */
  url: string;
  /** For the test: connections that have nothing to do with the service's. */
  database: Database;
  drop: () => Promise<void>;
};

/** An empty schema on a PostgreSQL server; each connection of the service has `setting` (`default_tablespace=…`). */
export async function createServerSchema(
  setting?: string,
  server = inject('testDatabaseUrl'),
): Promise<ServerSchema> {
  const name = `nodes_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  // nothing that a test writes has to outlive a power cut
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
