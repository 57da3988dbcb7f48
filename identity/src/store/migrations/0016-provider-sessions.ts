import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The OpenID provider's session that depends on an external session: a sign-out at the identity provider ends both. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table external_sessions add column provider_session_uid text`.execute(database);
}
