import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The common name of a session's browser, for the session list on the account page. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column browser text`.execute(database);
}
