import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Which second factors count at a site: names separated by commas. Null: each of them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table sites add column second_factors text`.execute(database);
}
