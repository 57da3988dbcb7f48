import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `create table sign_out_notices (
    client_id text not null,
    sid text not null,
    person_id text not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null default '-infinity',
    given_up_at timestamptz,
    primary key (client_id, sid)
  )`,
  'create index sign_out_notices_by_next_attempt on sign_out_notices (next_attempt_at)',
];

/** Pending back-channel logout notifications. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
