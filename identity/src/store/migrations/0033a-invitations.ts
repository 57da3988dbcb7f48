import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table invitations (
    person_id text primary key references people (id) on delete cascade,
    token_hash text not null unique,
    password_changed_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index invitations_by_expiry on invitations (expires_at)',
  `create table mail_bounces (
    person_id text primary key references people (id) on delete cascade,
    address text not null,
    status text not null,
    bounced_at timestamptz not null
  )`,
];

/** Invitations, and addresses whose mail bounced. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
