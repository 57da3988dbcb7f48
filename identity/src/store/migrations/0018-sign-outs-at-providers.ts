import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The ID token of a session, encrypted: a provider that hears of our sign-outs knows by it whom to sign out without asking. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table external_sessions add column id_token_sealed text`.execute(database);
}
