import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // whether browsers may remember who signs in to a site (docs/decisions/090-accounts-that-a-browser-remembers.md)
  'alter table sites add column remember_accounts boolean not null default true',
  'create index audit_events_by_site on audit_events (site, at, number) where (site is not null)',
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
