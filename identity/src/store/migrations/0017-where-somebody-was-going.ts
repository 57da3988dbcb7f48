import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The application page that the visitor requested before a hand-over to another region. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table region_departures add column target_link text`.execute(database);
}
