import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table notices (
    id text primary key,
    recipient text not null,
    subject text not null,
    text text not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    given_up_at timestamptz not null
  )`,
  'create index notices_by_next_attempt on notices (next_attempt_at)',
];

/** Pending e-mail notices. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
