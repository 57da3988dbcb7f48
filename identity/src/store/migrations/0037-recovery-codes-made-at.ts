import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** When a recovery code was made: a refused change of the last days takes it back. Null: with the app. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table recovery_codes add column made_at timestamptz`.execute(database);
}
