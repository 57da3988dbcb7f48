import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { boardSystemCalls, ToDosOfPerson } from '@anteroom/contract/board-systems';
import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import { ContractError } from '../http/errors.ts';
import type { Handlers } from '../http/routes.ts';
import type { Clock } from '../lib/clock.ts';
import { siteNameKey } from '../lib/names.ts';
import type { Database } from '../store/schema.ts';

/** How far in the future a timestamp can be. With a larger difference, later calls would seem older and be ignored. */
const clockDifferenceSeconds = 60;

/** Receives to-dos from board systems. Each call is logged with the board system and the counts. */
export function createPushedToDos({
  database,
  clock,
  keys,
}: {
  database: Database;
  clock: Clock;
  keys: BoardSystemKeys;
}): Handlers<typeof boardSystemCalls> {
  return {
    async putToDos({ body }, exchange) {
      const { name: boardSystem, canPushTo } = keys.require(exchange.headers);
      // All or nothing: a partly rejected call would look successful.
      const foreign = body.toDos.filter(({ site }) => !canPushTo(site)).length;
      if (foreign > 0) {
        exchange.log.warn(
          { event: 'to-dos-refused', boardSystem, foreign },
          'a board system told of sites that are not its own',
        );
        throw new ContractError('forbidden', { detail: 'the key is not for all of these sites' });
      }
      const at = new Date(body.at);
      if (at.getTime() > clock.now().getTime() + clockDifferenceSeconds * 1000) {
        throw new ContractError('validation_failed', { detail: 'body.at is in the future' });
      }
      const { known, newer } = await saveToDos(database, body.toDos, at);
      const knownIndexes = new Set(known);
      const unknown = body.toDos.flatMap((_toDos, index) => (knownIndexes.has(index) ? [] : [index]));
      exchange.log.info(
        {
          event: 'to-dos-received',
          boardSystem,
          at: body.at,
          known: known.length,
          newer,
          unknown: unknown.length,
        },
        'received to-dos from a board system',
      );
      return { known: known.length, unknown };
    },
  };
}

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
      select given.*, users.id as user_id, sites.id as site_id, count(*) over (partition by place) as matches
      from given
      join sites on sites.name = given.site and sites.disabled_at is null
      join users on coalesce(users.boards_user_name, users.user_name) = given."boardsUserName"
      join memberships on memberships.user_id = users.id and memberships.site_id = sites.id
    ), kept as (
      insert into to_dos (user_id, site_id, pending_votes, open_questionnaires, minutes, action_items,
        director_home_page_enabled, books, seen_books, updated_at)
      select distinct on (user_id, site_id) user_id, site_id, "pendingVoteCount", "openQuestionnairesCount",
        "minutesCount", "actionItemsCount", "directorHomePageEnabled", books, "seenBooks", ${at}::timestamptz
      from named where matches = 1
      order by user_id, site_id, place desc
      on conflict (user_id, site_id) do update set
        pending_votes = excluded.pending_votes, open_questionnaires = excluded.open_questionnaires,
        minutes = excluded.minutes, action_items = excluded.action_items,
        director_home_page_enabled = excluded.director_home_page_enabled,
        books = excluded.books, seen_books = excluded.seen_books, updated_at = excluded.updated_at
      where to_dos.updated_at <= excluded.updated_at
      returning 1
    )
    select (select json_agg(place order by place) from named where matches = 1) as known,
      (select count(*)::int from kept) as newer`.execute(database);
  const [row] = rows;
  return { known: row?.known ?? [], newer: row?.newer ?? 0 };
}

type BoardSystemKeys = {
  /**
   * The board system of the key.
   * @throws `unauthorized` for a missing or unknown key
   */
  require: (headers: IncomingHttpHeaders) => BoardSystem;
};

type BoardSystem = {
  name: string;
  /** Whether the key is valid for this site name, even if no such site exists. */
  canPushTo: (site: string) => boolean;
};

/** Creates the check of keys. A key has 256 random bits (see the operations page), so a fast hash is safe. */
export function createBoardSystemKeys(keys: Config['boardSystems']['keys']): BoardSystemKeys {
  return {
    require({ authorization = '' }) {
      const presented = /^Bearer ([\w+/=~.-]{32,200})$/i.exec(authorization)?.[1];
      if (presented === undefined)
        throw new ContractError('unauthorized', { detail: 'the request has no key' });
      const hash = createHash('sha256').update(presented).digest();
      // Compares with all keys, so that the time does not reveal the closest one.
      const [owner] = keys.filter((key) => timingSafeEqual(key.hash, hash));
      if (owner === undefined) throw new ContractError('unauthorized', { detail: 'the key is unknown' });
      const { name, siteKeys } = owner;
      return { name, canPushTo: (site) => siteKeys?.has(siteNameKey(site)) ?? true };
    },
  };
}
