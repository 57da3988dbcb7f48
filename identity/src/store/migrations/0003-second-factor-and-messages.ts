import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table outbox (
    number bigint generated always as identity,
    id text primary key,
    kind text not null check (kind in ('sms', 'mail')),
    recipient text not null,
    subject text,
    text text not null,
    created_at timestamptz not null
  )`,
  'create index outbox_by_number on outbox (number)',
  `create table one_time_codes (
    purpose text not null,
    bound_to text not null,
    person_id text not null references people (id) on delete cascade,
    code_hash text not null,
    checks integer not null default 0,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    consumed_at timestamptz,
    primary key (purpose, bound_to)
  )`,
  'create index one_time_codes_by_expiry on one_time_codes (expires_at)',
  `create table code_messages (
    id text primary key,
    person_id text not null references people (id) on delete cascade,
    number_hash text not null,
    number_range text not null,
    sent_at timestamptz not null
  )`,
  'create index code_messages_by_person on code_messages (person_id, sent_at)',
  'create index code_messages_by_number on code_messages (number_hash, sent_at)',
  'create index code_messages_by_time on code_messages (sent_at)',
  `create table remembered_devices (
    token_hash text not null,
    person_id text not null references people (id) on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (token_hash, person_id)
  )`,
  'create index remembered_devices_by_person on remembered_devices (person_id)',
  'create index remembered_devices_by_expiry on remembered_devices (expires_at)',
  `create table previous_passwords (
    person_id text not null references people (id) on delete cascade,
    password_hash text not null,
    replaced_at timestamptz not null
  )`,
  'create index previous_passwords_by_person on previous_passwords (person_id, replaced_at)',
  `alter table sites
    add column adaptive_second_factor boolean not null default true,
    add column password_policy jsonb`,
  'alter table clients add column adaptive_second_factor boolean not null default true',
];

/** One-time codes and their counts, remembered devices, the outbox, and a password policy for each site. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
