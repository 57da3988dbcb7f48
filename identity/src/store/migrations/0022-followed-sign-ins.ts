import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Keeps a followed sign-in for a while, so that Back, a reload or a bookmark of its page leads to the application. A
 * node of the previous release deletes it instead.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table sign_ins add column followed_at timestamptz`.execute(database);
  await sql`create index sign_ins_by_browser on sign_ins (browser_id)`.execute(database);
  await sql`create index sessions_by_browser on sessions (browser_id) where person_id is not null`.execute(
    database,
  );
}
