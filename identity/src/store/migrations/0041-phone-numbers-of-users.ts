import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** When the user set the phone number: undoing a recent change removes it. Null: an operator set it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table people add column phone_number_set_at timestamptz`.execute(database);
}
