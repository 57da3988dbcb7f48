import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The second factors that a site accepts, separated by commas. Null: all of them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table sites add column second_factors text`.execute(database);
}
