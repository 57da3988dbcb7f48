import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // whose provider a session came from: that of another company is nothing to a site
  'alter table sessions add column connection_id text',
  // The address that was looked up in a sign-in and leads to a provider by its domain. The trip that follows names no person.
  'alter table sign_ins add column external_hint text',
];

/** What a sign-in at a provider leaves behind in a session, and on the way to it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
