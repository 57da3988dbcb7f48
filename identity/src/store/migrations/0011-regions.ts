import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // users who leave for another region: stored in the region they leave
  `create table region_departures (
    request_hash text primary key,
    region text not null,
    person_id text not null,
    browser_id text not null,
    site text not null,
    link_id text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    consumed_at timestamptz
  )`,
  'create index region_departures_by_expiry on region_departures (expires_at)',

  // users announced by another region: stored in the region they enter
  `create table region_arrivals (
    request_hash text primary key,
    region text not null,
    person_id text not null,
    site_id text not null,
    client_id text not null,
    browser_id text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    consumed_at timestamptz
  )`,
  'create index region_arrivals_by_expiry on region_arrivals (expires_at)',

  // a token of another region is accepted once, across all nodes and restarts
  `create table used_region_tokens (
    id_hash text primary key,
    expires_at timestamptz not null
  )`,
  'create index used_region_tokens_by_expiry on used_region_tokens (expires_at)',

  // sessions of one browser in two regions, which end together
  `create table region_links (
    link_id text primary key,
    region text not null,
    direction text not null check (direction in ('to', 'from')),
    person_id text not null,
    browser_id text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    told_at timestamptz,
    attempts integer not null default 0,
    next_attempt_at timestamptz
  )`,
  'create index region_links_by_browser on region_links (browser_id)',
  'create index region_links_open on region_links (expires_at) where ended_at is null',
  'create index region_links_untold on region_links (next_attempt_at) where ended_at is not null and told_at is null',

  // a sign-in started from another region's page, which has its own id for it
  'alter table sign_ins add column region text',
  'alter table sign_ins add column region_uid text',
];

/** Several regions that hand visitors over to each other. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
