import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The browser of a session by its common name, for the list of sessions on the account page. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions add column browser text`.execute(database);
}
