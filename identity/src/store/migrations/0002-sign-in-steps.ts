import { sql } from 'kysely';
import type { Kysely } from 'kysely';

const statements = [
  `alter table sign_ins
    add column reasons jsonb not null default '[]',
    add column site_chosen_at timestamptz,
    add column password_changed_at timestamptz`,
  `create table sign_outs (
    id text primary key,
    client_id text,
    hint_person_id text,
    post_logout_redirect_uri text,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index sign_outs_by_expiry on sign_outs (expires_at)',
];

/** The completed steps of a sign-in, the site of tokens, and sign-outs that applications request. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
