import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The page of the application that somebody set out for, who is handed over to another region on the way. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table region_departures add column target_link text`.execute(database);
}
