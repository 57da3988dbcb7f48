import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // the connection of an external session, because a site accepts only sessions of its own connection
  'alter table sessions add column connection_id text',
  // The e-mail address whose domain selected a provider. The request to the provider names no user.
  'alter table sign_ins add column external_hint text',
];

/** Data about the sign-in at a provider, in the session and during the sign-in. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
