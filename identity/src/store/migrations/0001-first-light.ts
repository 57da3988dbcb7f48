import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table people (
    id text primary key,
    user_name text not null,
    email text,
    first_name text not null,
    last_name text not null,
    boards_user_name text,
    phone_number text,
    status text not null default 'active' check (status in ('active', 'disabled')),
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create table sign_in_names (
    name_key text primary key,
    person_id text not null references people (id) on delete cascade
  )`,
  'create index sign_in_names_by_person on sign_in_names (person_id)',
  `create table credentials (
    person_id text primary key references people (id) on delete cascade,
    password_hash text not null,
    must_change boolean not null default false,
    changed_at timestamptz not null
  )`,
  `create table sites (
    id text primary key,
    name text not null unique check (name = lower(name) and char_length(name) between 1 and 50),
    display_name text not null,
    parent_id text references sites (id) on delete restrict check (parent_id <> id),
    sequence integer not null default 0,
    logo_path text,
    second_factor_required boolean not null default false,
    allow_password_entry boolean not null default true,
    identity_service_url text,
    disabled_at timestamptz,
    created_at timestamptz not null
  )`,
  'create index sites_by_parent on sites (parent_id)',
  `create table memberships (
    person_id text not null references people (id) on delete cascade,
    site_id text not null references sites (id) on delete cascade,
    entitlement_requirements_met boolean not null default true,
    client_entitlement text not null default 'none',
    created_at timestamptz not null,
    primary key (person_id, site_id)
  )`,
  'create index memberships_by_site on memberships (site_id)',
  `create table clients (
    id text primary key,
    display_name text not null,
    cancel_uri text,
    home_uri text,
    customizations jsonb not null,
    metadata jsonb not null,
    created_at timestamptz not null
  )`,
  `create table sessions (
    id_hash text primary key,
    browser_id text not null,
    person_id text references people (id) on delete cascade,
    auth_site text,
    externally_authenticated boolean not null default false,
    methods jsonb not null,
    authenticated_at timestamptz,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    absolute_expires_at timestamptz not null,
    ended_at timestamptz,
    check ((person_id is null) = (authenticated_at is null))
  )`,
  'create index sessions_by_person on sessions (person_id) where person_id is not null',
  'create index sessions_by_expiry on sessions (absolute_expires_at)',
  `create table sign_ins (
    uid text primary key,
    browser_id text not null,
    client_id text not null,
    prompt_method text,
    parameters jsonb not null,
    person_id text references people (id) on delete cascade,
    site_id text references sites (id) on delete cascade,
    password_at timestamptz,
    second_factor_at timestamptz,
    finished_at timestamptz,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index sign_ins_by_person on sign_ins (person_id) where person_id is not null',
  'create index sign_ins_by_expiry on sign_ins (expires_at)',
  `create table openid_records (
    model text not null,
    id text not null,
    payload jsonb not null,
    grant_id text,
    uid text,
    account_id text,
    consumed_at timestamptz,
    expires_at timestamptz,
    primary key (model, id)
  )`,
  'create index openid_records_by_grant on openid_records (grant_id) where grant_id is not null',
  'create index openid_records_by_uid on openid_records (uid) where uid is not null',
  'create index openid_records_by_account on openid_records (account_id) where account_id is not null',
  'create index openid_records_by_expiry on openid_records (expires_at)',
  `create table error_records (
    id text primary key,
    error text not null,
    description text,
    data jsonb not null,
    correlation_id text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index error_records_by_expiry on error_records (expires_at)',
  `create table limits (
    key text primary key,
    used integer not null,
    blocked_until timestamptz,
    expires_at timestamptz not null
  )`,
  'create index limits_by_expiry on limits (expires_at)',
  `create table settings (
    name text primary key,
    value jsonb not null
  )`,
];

/** The tables of a sign-in. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
