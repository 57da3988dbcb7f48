import { sql } from 'kysely';
import type { Kysely } from 'kysely';

// All tables of the first release. `schema.ts` explains their columns.
const statements = [
  `create table users (
    id text primary key,
    user_name text not null,
    email text,
    first_name text not null,
    last_name text not null,
    boards_user_name text,
    phone_number text,
    status text not null default 'active' check (status in ('active', 'disabled')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    recent_sites_first boolean not null default false,
    security_version integer not null default 0,
    phone_number_set_at timestamptz,
    verified_email text
  )`,
  'create index users_by_board_name on users (coalesce(boards_user_name, user_name))',
  `create table sign_in_names (
    name_key text primary key,
    user_id text not null references users (id) on delete cascade
  )`,
  'create index sign_in_names_by_user on sign_in_names (user_id)',
  `create table credentials (
    user_id text primary key references users (id) on delete cascade,
    password_hash text not null,
    must_change boolean not null default false,
    changed_at timestamptz not null
  )`,
  `create index credentials_by_kind on credentials (regexp_replace(password_hash, '\\$[^$]*\\$[^$]*$', ''))`,
  `create table previous_passwords (
    user_id text not null references users (id) on delete cascade,
    password_hash text not null,
    replaced_at timestamptz not null
  )`,
  'create index previous_passwords_by_user on previous_passwords (user_id, replaced_at)',
  `create table password_links (
    user_id text primary key references users (id) on delete cascade,
    token_hash text not null unique,
    password_changed_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index password_links_by_expiry on password_links (expires_at)',
  `create table invitations (
    user_id text primary key references users (id) on delete cascade,
    token_hash text not null unique,
    password_changed_at timestamptz not null,
    sent_at timestamptz not null,
    expires_at timestamptz not null,
    accepted_at timestamptz
  )`,
  'create index invitations_by_expiry on invitations (expires_at)',
  `create table refusal_links (
    token_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    expires_at timestamptz not null
  )`,
  'create index refusal_links_by_expiry on refusal_links (expires_at)',
  'create index refusal_links_by_user on refusal_links (user_id)',
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
    updated_at timestamptz not null,
    metadata_read_at timestamptz
  )`,
  `create table connection_domains (
    domain text primary key,
    connection_id text not null references connections (id) on delete cascade
  )`,
  'create index connection_domains_by_connection on connection_domains (connection_id)',
  `create table sites (
    id text primary key,
    name text not null unique check ((name = lower(name)) and ((char_length(name) >= 1) and (char_length(name) <= 50))),
    display_name text not null,
    parent_id text references sites (id) on delete restrict,
    sequence integer not null default 0,
    logo_path text,
    second_factor_required boolean not null default false,
    allow_password_entry boolean not null default true,
    identity_service_url text,
    disabled_at timestamptz,
    created_at timestamptz not null,
    adaptive_second_factor boolean not null default true,
    password_policy jsonb,
    connection_id text references connections (id),
    listed boolean not null default true,
    display_name_key text,
    director_to_dos_enabled boolean not null default true,
    authenticator_apps boolean not null default false,
    second_factors text,
    second_factor_from timestamptz,
    check (parent_id <> id)
  )`,
  'create index sites_by_connection on sites (connection_id)',
  'create index sites_by_display_name on sites (display_name_key) where ((parent_id is null) and listed and (disabled_at is null))',
  'create index sites_by_parent on sites (parent_id)',
  `create table memberships (
    user_id text not null references users (id) on delete cascade,
    site_id text not null references sites (id) on delete cascade,
    entitlement_requirements_met boolean not null default true,
    client_entitlement text not null default 'none',
    created_at timestamptz not null,
    chosen_at timestamptz,
    primary key (user_id, site_id)
  )`,
  'create index memberships_by_site on memberships (site_id)',
  `create table clients (
    id text primary key,
    display_name text not null,
    cancel_uri text,
    home_uri text,
    customizations jsonb not null,
    metadata jsonb not null,
    created_at timestamptz not null,
    adaptive_second_factor boolean not null default true
  )`,
  `create table client_entitlements (
    user_id text not null,
    site_id text not null,
    client_id text not null references clients (id) on delete cascade,
    label text not null,
    primary key (user_id, client_id, site_id),
    foreign key (user_id, site_id) references memberships (user_id, site_id) on delete cascade
  )`,
  'create index client_entitlements_by_client on client_entitlements (client_id)',
  `create table sessions (
    id_hash text primary key,
    browser_id text not null,
    user_id text references users (id) on delete cascade,
    auth_site text,
    externally_authenticated boolean not null default false,
    methods jsonb not null,
    authenticated_at timestamptz,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    absolute_expires_at timestamptz not null,
    ended_at timestamptz,
    connection_id text,
    security_version integer,
    provider_session_uid text,
    browser text,
    check ((user_id is null) = (authenticated_at is null))
  )`,
  'create index sessions_by_browser on sessions (browser_id) where (user_id is not null)',
  'create index sessions_by_expiry on sessions (absolute_expires_at)',
  'create index sessions_by_user on sessions (user_id) where (user_id is not null)',
  `create table sign_ins (
    uid text primary key,
    browser_id text not null,
    client_id text not null,
    prompt_method text,
    parameters jsonb not null,
    user_id text references users (id) on delete cascade,
    finished_at timestamptz,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    reasons jsonb not null default '[]',
    region text,
    region_uid text,
    external_hint text,
    proofs jsonb not null default '{}',
    advanced_at timestamptz,
    followed_at timestamptz
  )`,
  'create index sign_ins_by_browser on sign_ins (browser_id)',
  'create index sign_ins_by_expiry on sign_ins (expires_at)',
  'create index sign_ins_by_user on sign_ins (user_id) where (user_id is not null)',
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
  'create index openid_records_by_account on openid_records (account_id) where (account_id is not null)',
  'create index openid_records_by_expiry on openid_records (expires_at)',
  'create index openid_records_by_grant on openid_records (grant_id, model) where (grant_id is not null)',
  'create index openid_records_by_uid on openid_records (uid, model) where (uid is not null)',
  `create table audit_events (
    number bigint generated always as identity primary key,
    at timestamptz not null,
    event text not null,
    result text not null check (result in ('success', 'failure')),
    reason text,
    user_id text,
    session_hash text,
    site text,
    client_id text,
    connection text,
    correlation_id text not null,
    address text,
    details jsonb not null default '{}'
  )`,
  'create index audit_events_by_user on audit_events (user_id, number)',
  'create index audit_events_by_time on audit_events (at)',
  `create table authenticator_apps (
    user_id text primary key references users (id) on delete cascade,
    secret_sealed text not null,
    last_step integer not null,
    created_at timestamptz not null
  )`,
  `create table code_messages (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    number_hash text not null,
    number_range text not null,
    sent_at timestamptz not null
  )`,
  'create index code_messages_by_number on code_messages (number_hash, sent_at)',
  'create index code_messages_by_user on code_messages (user_id, sent_at)',
  'create index code_messages_by_time on code_messages (sent_at)',
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
  `create table external_identities (
    connection_id text not null references connections (id) on delete cascade,
    subject text not null,
    user_id text not null references users (id) on delete cascade,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    primary key (connection_id, subject)
  )`,
  'create index external_identities_by_user on external_identities (user_id)',
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
  `create table external_sessions (
    browser_id text primary key,
    connection_id text not null references connections (id) on delete cascade,
    subject text not null,
    session_index text,
    user_id text not null references users (id) on delete cascade,
    created_at timestamptz not null,
    provider_session_uid text,
    id_token_sealed text,
    subject_qualifiers jsonb not null default '[]'
  )`,
  'create index external_sessions_by_subject on external_sessions (connection_id, subject)',
  `create table job_leases (
    name text primary key,
    holder text not null,
    held_until timestamptz not null,
    next_run_at timestamptz not null
  )`,
  `create table keys_in_use (
    setting text primary key,
    key_id text not null,
    production boolean not null,
    since timestamptz not null
  )`,
  `create table limits (
    key text primary key,
    used integer not null,
    blocked_until timestamptz,
    expires_at timestamptz not null
  )`,
  'create index limits_by_expiry on limits (expires_at)',
  `create table mail_bounces (
    user_id text primary key references users (id) on delete cascade,
    address text not null,
    status text not null,
    bounced_at timestamptz not null
  )`,
  `create table nodes (
    id text primary key,
    name text not null,
    known_keys jsonb not null,
    started_at timestamptz not null,
    seen_at timestamptz not null
  )`,
  `create table notices (
    id text primary key,
    recipient text not null,
    subject text not null,
    text text not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    given_up_at timestamptz not null,
    html text
  )`,
  'create index notices_by_next_attempt on notices (next_attempt_at)',
  `create table one_time_codes (
    purpose text not null,
    bound_to text not null,
    user_id text not null references users (id) on delete cascade,
    code_hash text not null,
    checks integer not null default 0,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    consumed_at timestamptz,
    primary key (purpose, bound_to)
  )`,
  'create index one_time_codes_by_expiry on one_time_codes (expires_at)',
  `create table outbox (
    number bigint generated always as identity,
    id text primary key,
    kind text not null check (kind in ('sms', 'mail')),
    recipient text not null,
    subject text,
    text text not null,
    created_at timestamptz not null,
    html text
  )`,
  'create index outbox_by_number on outbox (number)',
  `create table passkey_refusals (
    user_id text primary key references users (id) on delete cascade,
    refused_at timestamptz not null
  )`,
  `create table passkeys (
    credential_id text primary key,
    user_id text not null references users (id) on delete cascade,
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
  'create index passkeys_by_user on passkeys (user_id)',
  `create table recovery_codes (
    code_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    made_at timestamptz
  )`,
  'create index recovery_codes_by_user on recovery_codes (user_id)',
  `create table region_arrivals (
    request_hash text primary key,
    region text not null,
    user_id text not null,
    site_id text not null,
    client_id text not null,
    browser_id text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    consumed_at timestamptz
  )`,
  'create index region_arrivals_by_expiry on region_arrivals (expires_at)',
  `create table region_departures (
    request_hash text primary key,
    region text not null,
    user_id text not null,
    browser_id text not null,
    site text not null,
    link_id text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    consumed_at timestamptz,
    target_link text
  )`,
  'create index region_departures_by_expiry on region_departures (expires_at)',
  `create table region_links (
    link_id text primary key,
    region text not null,
    direction text not null check (direction in ('to', 'from')),
    user_id text not null,
    browser_id text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    told_at timestamptz,
    attempts integer not null default 0,
    next_attempt_at timestamptz
  )`,
  'create index region_links_by_browser on region_links (browser_id)',
  'create index region_links_open on region_links (expires_at) where (ended_at is null)',
  'create index region_links_untold on region_links (next_attempt_at) where ((ended_at is not null) and (told_at is null))',
  `create table remembered_devices (
    token_hash text not null,
    user_id text not null references users (id) on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (token_hash, user_id)
  )`,
  'create index remembered_devices_by_expiry on remembered_devices (expires_at)',
  'create index remembered_devices_by_user on remembered_devices (user_id)',
  `create table settings (
    name text primary key,
    value jsonb not null
  )`,
  `create table sign_out_notices (
    client_id text not null,
    sid text not null,
    user_id text not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null default '-infinity'::timestamp with time zone,
    given_up_at timestamptz,
    primary key (client_id, sid)
  )`,
  'create index sign_out_notices_by_next_attempt on sign_out_notices (next_attempt_at)',
  `create table sign_outs (
    id text primary key,
    client_id text,
    hint_user_id text,
    post_logout_redirect_uri text,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index sign_outs_by_expiry on sign_outs (expires_at)',
  `create table to_dos (
    user_id text not null references users (id) on delete cascade,
    site_id text not null references sites (id) on delete cascade,
    pending_votes integer not null default 0 check (pending_votes >= 0),
    open_questionnaires integer not null default 0 check (open_questionnaires >= 0),
    minutes integer not null default 0 check (minutes >= 0),
    action_items integer not null default 0 check (action_items >= 0),
    director_home_page_enabled boolean not null default true,
    books jsonb not null default '[]',
    seen_books jsonb not null default '[]',
    updated_at timestamptz not null,
    primary key (user_id, site_id)
  )`,
  'create index to_dos_by_site on to_dos (site_id)',
  `create table used_assertions (
    id_hash text primary key,
    expires_at timestamptz not null
  )`,
  'create index used_assertions_by_expiry on used_assertions (expires_at)',
  `create table used_passkey_challenges (
    challenge_hash text primary key,
    expires_at timestamptz not null
  )`,
  'create index used_passkey_challenges_by_end on used_passkey_challenges (expires_at)',
  `create table used_region_tokens (
    id_hash text primary key,
    expires_at timestamptz not null
  )`,
  'create index used_region_tokens_by_expiry on used_region_tokens (expires_at)',
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
