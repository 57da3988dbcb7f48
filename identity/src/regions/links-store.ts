import { countAttempt } from '../store/backoff.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** A completed hand-over: the sessions of one browser in two regions, which end together. */
export type Link = {
  /** The id of the hand-over, shared by both regions. */
  id: string;
  /** The URL of the other region. */
  region: string;
  /** Whether the user was handed over to that region, or came from it. */
  direction: 'to' | 'from';
  userId: string;
  browserId: string;
  /** The latest end of the linked session. */
  expiresAt: Date;
};

export async function storeLink(
  database: Database | DatabaseTransaction,
  link: Link,
  now: Date,
): Promise<void> {
  await database
    .insertInto('region_links')
    .values({
      link_id: link.id,
      region: link.region,
      direction: link.direction,
      user_id: link.userId,
      browser_id: link.browserId,
      created_at: now,
      expires_at: link.expiresAt,
    })
    .execute();
}

/**
 * Marks links whose session has ended here, for later notification: the browser has no active session of that user any
 * more, or the user is no longer active. The query finds every ended session, whatever ended it, on any node or from
 * the command line.
 */
export async function markEndedLinks(database: Database, now: Date): Promise<number> {
  const marked = await database
    .updateTable('region_links')
    .set({ ended_at: now, next_attempt_at: now })
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where((where) =>
      where.or([
        where.not(
          where.exists(
            where
              .selectFrom('sessions')
              .select('id_hash')
              .whereRef('sessions.user_id', '=', 'region_links.user_id')
              .whereRef('sessions.browser_id', '=', 'region_links.browser_id')
              .where('sessions.ended_at', 'is', null),
          ),
        ),
        // The account of a user who came from another region belongs to that region, so disabling it here does not end
        // the session there.
        where.and([
          where('direction', '=', 'to'),
          where.not(
            where.exists(
              where
                .selectFrom('users')
                .select('id')
                .whereRef('users.id', '=', 'region_links.user_id')
                .where('users.status', '=', 'active'),
            ),
          ),
        ]),
      ]),
    )
    .executeTakeFirst();
  return Number(marked.numUpdatedRows);
}

const notifiedAtOnce = 50;
const waits = { firstSeconds: 1, longestSeconds: 300 };

/** Takes the notices that are due. The same statement postpones their next attempt, so that no two nodes send the same notice. */
export async function claimUndeliveredLinks(
  database: Database,
  now: Date,
): Promise<{ id: string; region: string }[]> {
  const rows = await database
    .updateTable('region_links')
    .set(countAttempt(now, waits))
    .where('link_id', 'in', (query) =>
      query
        .selectFrom('region_links')
        .select('link_id')
        .where('ended_at', 'is not', null)
        .where('told_at', 'is', null)
        .where('next_attempt_at', '<=', now)
        // The other region's session expires at that time too, so a later notice is unnecessary.
        .where('expires_at', '>', now)
        .orderBy('next_attempt_at')
        .limit(notifiedAtOnce)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['link_id', 'region'])
    .execute();
  return rows.map((row) => ({ id: row.link_id, region: row.region }));
}

export async function markDelivered(database: Database, ids: readonly string[], now: Date): Promise<void> {
  await database.updateTable('region_links').set({ told_at: now }).where('link_id', 'in', ids).execute();
}

/**
 * Marks links that the other region has reported as ended, so that this region does not notify it. Returns the users
 * and browsers of the sessions.
 */
export async function endLinks(
  transaction: DatabaseTransaction,
  region: string,
  ids: readonly string[],
  now: Date,
): Promise<{ userId: string; browserId: string }[]> {
  if (ids.length === 0) return [];
  const rows = await transaction
    .updateTable('region_links')
    .set({ ended_at: now, told_at: now })
    .where('link_id', 'in', ids)
    .where('region', '=', region)
    .where('ended_at', 'is', null)
    .returning(['user_id', 'browser_id'])
    .execute();
  return rows.map((row) => ({ userId: row.user_id, browserId: row.browser_id }));
}
