import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The date from which a site requires the second factor. Null: at once, as for a node of the previous release. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table sites add column second_factor_from timestamptz`.execute(database);
}
