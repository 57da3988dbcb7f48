import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // docs/decisions/097-a-connections-secret-is-written-never-read.md
  'alter table connections add column secret_changed_at timestamptz',
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
