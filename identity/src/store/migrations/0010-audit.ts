import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // No foreign keys to users or sites: events outlive them.
  `create table audit_events (
    number bigint generated always as identity primary key,
    at timestamptz not null,
    event text not null,
    result text not null check (result in ('success', 'failure')),
    reason text,
    person_id text,
    session_hash text,
    site text,
    client_id text,
    connection text,
    correlation_id text not null,
    address text,
    details jsonb not null default '{}'::jsonb
  )`,
  'create index audit_events_by_time on audit_events (at)',
  'create index audit_events_by_person on audit_events (person_id, number)',
];

/** All authentication events, for operators to read and export. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
