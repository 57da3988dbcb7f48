import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** When the metadata of a SAML connection was last read from its URL. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table connections add column metadata_read_at timestamptz`.execute(database);
}
