import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  // which of the keys that all nodes know is used; with `production`, only an operator's command can change it
  `create table keys_in_use (
    setting text primary key,
    key_id text not null,
    production boolean not null,
    since timestamptz not null
  )`,
  // the running service processes, and the keys that each knows
  `create table nodes (
    id text primary key,
    name text not null,
    known_keys jsonb not null,
    started_at timestamptz not null,
    seen_at timestamptz not null
  )`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
