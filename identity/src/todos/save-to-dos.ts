import type { ToDosOfPerson } from '@anteroom/contract/board-systems';
import { sql } from 'kysely';
import { siteNameKey } from '../lib/site-name.ts';
import type { Database } from '../store/schema.ts';

/**
 * Stores the to-dos of one call, all or nothing, in a single statement. Ignores entries that are older than the stored
 * ones; of two entries for the same user and site, the last counts. Rows are written in the order of their keys, so
 * that concurrent calls do not deadlock. Returns the indexes of entries that name exactly one member of a site, and the
 * number of changed rows.
 */
export async function saveToDos(
  database: Database,
  toDos: readonly ToDosOfPerson[],
  at: Date,
): Promise<{ known: number[]; newer: number }> {
  const given = toDos.map((one, index) => ({
    ...one,
    place: index,
    site: siteNameKey(one.site),
  }));
  const { rows } = await sql<{ known: number[] | null; newer: number }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as (
        place int, site text, "boardsUserName" text, "pendingVoteCount" int, "openQuestionnairesCount" int,
        "minutesCount" int, "actionItemsCount" int, "directorHomePageEnabled" boolean, books jsonb, "seenBooks" jsonb)
    ), named as (
      select given.*, people.id as person_id, sites.id as site_id, count(*) over (partition by place) as people
      from given
      join sites on sites.name = given.site and sites.disabled_at is null
      join people on coalesce(people.boards_user_name, people.user_name) = given."boardsUserName"
      join memberships on memberships.person_id = people.id and memberships.site_id = sites.id
    ), kept as (
      insert into to_dos (person_id, site_id, pending_votes, open_questionnaires, minutes, action_items,
        director_home_page_enabled, books, seen_books, updated_at)
      select distinct on (person_id, site_id) person_id, site_id, "pendingVoteCount", "openQuestionnairesCount",
        "minutesCount", "actionItemsCount", "directorHomePageEnabled", books, "seenBooks", ${at}::timestamptz
      from named where people = 1
      order by person_id, site_id, place desc
      on conflict (person_id, site_id) do update set
        pending_votes = excluded.pending_votes, open_questionnaires = excluded.open_questionnaires,
        minutes = excluded.minutes, action_items = excluded.action_items,
        director_home_page_enabled = excluded.director_home_page_enabled,
        books = excluded.books, seen_books = excluded.seen_books, updated_at = excluded.updated_at
      where to_dos.updated_at <= excluded.updated_at
      returning 1
    )
    select (select json_agg(place order by place) from named where people = 1) as known,
      (select count(*)::int from kept) as newer`.execute(database);
  const [row] = rows;
  return { known: row?.known ?? [], newer: row?.newer ?? 0 };
}
