import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** When a recovery code was created: undoing a recent change revokes it. Null: together with the app. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table recovery_codes add column made_at timestamptz`.execute(database);
}
