import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** Which session of the OpenID provider stands on a session that another organisation's provider began: a sign-out over there ends both. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table external_sessions add column provider_session_uid text`.execute(database);
}
