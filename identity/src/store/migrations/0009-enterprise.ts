import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table connections (
    id text primary key,
    name text not null unique,
    display_name text not null,
    kind text not null check (kind in ('saml', 'openid')),
    settings jsonb not null,
    secret_sealed text,
    provisioning text not null default 'none' check (provisioning in ('none', 'just_in_time')),
    disabled_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create table connection_domains (
    domain text primary key,
    connection_id text not null references connections (id) on delete cascade
  )`,
  'create index connection_domains_by_connection on connection_domains (connection_id)',
  'alter table sites add column connection_id text references connections (id)',
  'create index sites_by_connection on sites (connection_id)',

  `create table external_identities (
    connection_id text not null references connections (id) on delete cascade,
    subject text not null,
    person_id text not null references people (id) on delete cascade,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    primary key (connection_id, subject)
  )`,
  'create index external_identities_by_person on external_identities (person_id)',

  `create table external_requests (
    id_hash text primary key,
    connection_id text not null references connections (id) on delete cascade,
    uid text not null,
    browser_id text not null,
    site_id text,
    force_authentication boolean not null default false,
    secrets jsonb not null,
    proof jsonb,
    ticket_hash text unique,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    proved_at timestamptz,
    consumed_at timestamptz
  )`,
  'create index external_requests_by_expiry on external_requests (expires_at)',

  // an assertion is accepted once, across all nodes and restarts
  `create table used_assertions (
    id_hash text primary key,
    expires_at timestamptz not null
  )`,
  'create index used_assertions_by_expiry on used_assertions (expires_at)',

  // a provider's identifiers for a session with us, so that the provider can end it
  `create table external_sessions (
    browser_id text primary key,
    connection_id text not null references connections (id) on delete cascade,
    subject text not null,
    session_index text,
    person_id text not null references people (id) on delete cascade,
    created_at timestamptz not null
  )`,
  'create index external_sessions_by_subject on external_sessions (connection_id, subject)',

  'alter table sign_ins add column external_at timestamptz',
  'alter table sign_ins add column connection_id text',
];

/** Company sign-in: connections to other organisations' identity providers, and pending requests to them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
