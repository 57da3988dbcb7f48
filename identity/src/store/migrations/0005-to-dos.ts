import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** A user's to-dos at a site, as last reported by the board system. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table to_dos (
        person_id text not null references people (id) on delete cascade,
        site_id text not null references sites (id) on delete cascade,
        pending_votes integer not null default 0 check (pending_votes >= 0),
        open_questionnaires integer not null default 0 check (open_questionnaires >= 0),
        minutes integer not null default 0 check (minutes >= 0),
        action_items integer not null default 0 check (action_items >= 0),
        director_home_page_enabled boolean not null default true,
        books jsonb not null default '[]',
        seen_books jsonb not null default '[]',
        updated_at timestamptz not null,
        primary key (person_id, site_id)
      )`,
    )
    .execute(database);
  await sql.raw('create index to_dos_by_site on to_dos (site_id)').execute(database);
}
