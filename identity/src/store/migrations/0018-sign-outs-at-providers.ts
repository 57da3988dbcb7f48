import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The encrypted ID token of a session, which identifies the user in a sign-out at the provider. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table external_sessions add column id_token_sealed text`.execute(database);
}
