import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The qualifiers of a user's NameID, for a sign-out at the identity provider. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table external_sessions add column subject_qualifiers jsonb not null default '[]'`.execute(
    database,
  );
}
