import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** What the name of a user at an organisation says besides its text, for a sign-out there. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table external_sessions add column subject_qualifiers jsonb not null default '[]'`.execute(
    database,
  );
}
