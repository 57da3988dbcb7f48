import { sql } from 'kysely';
import type { Kysely } from 'kysely';

// Who manages the service, and which site an account belongs to (docs/decisions/078-operators-without-a-shell.md).
const statements = [
  'alter table users add column home_site_id text references sites (id) on delete set null',
  'create index users_by_home_site on users (home_site_id) where (home_site_id is not null)',
  'create index users_by_user_name on users (user_name)',
  // An account of exactly one site belongs to that site.
  `update users set home_site_id = only_membership.site_id from (
    select user_id, min(site_id) as site_id from memberships group by user_id having count(*) = 1
  ) as only_membership where user_id = id`,
  `create table roles (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    role text not null check (role in ('owner', 'support', 'auditor', 'administrator')),
    site_id text references sites (id) on delete cascade,
    created_at timestamptz not null,
    unique nulls not distinct (user_id, role, site_id),
    check ((role = 'administrator') = (site_id is not null))
  )`,
  'create index roles_by_site on roles (site_id) where (site_id is not null)',
  'create index audit_events_by_correlation on audit_events (correlation_id)',
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
