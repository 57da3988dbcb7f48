import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table passkeys (
    credential_id text primary key,
    person_id text not null references people (id) on delete cascade,
    public_key text not null,
    sign_count bigint not null,
    backup_eligible boolean not null,
    backed_up boolean not null,
    transports jsonb not null,
    aaguid text not null,
    name text not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  'create index passkeys_by_person on passkeys (person_id)',
  `create table used_passkey_challenges (
    challenge_hash text primary key,
    expires_at timestamptz not null
  )`,
  'create index used_passkey_challenges_by_end on used_passkey_challenges (expires_at)',
  `create table passkey_refusals (
    person_id text primary key references people (id) on delete cascade,
    refused_at timestamptz not null
  )`,
];

/** Passkeys, their used challenges, and users who declined one. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
