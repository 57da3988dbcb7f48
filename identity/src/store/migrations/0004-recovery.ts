import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table password_links (
    person_id text primary key references people (id) on delete cascade,
    token_hash text not null unique,
    password_changed_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index password_links_by_expiry on password_links (expires_at)',
];

/** Password reset links: only the latest of each user. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
