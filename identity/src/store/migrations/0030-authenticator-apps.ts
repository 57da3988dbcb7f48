import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table authenticator_apps (
    person_id text primary key references people (id) on delete cascade,
    secret_sealed text not null,
    last_step integer not null,
    created_at timestamptz not null
  )`,
  `create table recovery_codes (
    code_hash text primary key,
    person_id text not null references people (id) on delete cascade
  )`,
  'create index recovery_codes_by_person on recovery_codes (person_id)',
  'alter table sites add column authenticator_apps boolean not null default false',
];

/** Authenticator apps and their recovery codes. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
