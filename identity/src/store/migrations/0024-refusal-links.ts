import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table refusal_links (
    token_hash text primary key,
    person_id text not null references people (id) on delete cascade,
    expires_at timestamptz not null
  )`,
  'create index refusal_links_by_person on refusal_links (person_id)',
  'create index refusal_links_by_expiry on refusal_links (expires_at)',
  'alter table notices add column html text',
  'alter table outbox add column html text',
];

/** Links to undo an account change, and the HTML of e-mails. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
