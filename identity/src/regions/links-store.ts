import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** A hand-over that was made: the sessions of the same browser in both regions, which end together. */
export type Link = {
  /** What both regions call it. */
  id: string;
  /** The other region's address. */
  region: string;
  /** Whether the person was handed over to that region, or came from it. */
  direction: 'to' | 'from';
  personId: string;
  browserId: string;
  /** Until then the session that it stands for may live. */
  expiresAt: Date;
};

export async function keepLink(
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
      person_id: link.personId,
      browser_id: link.browserId,
      created_at: now,
      expires_at: link.expiresAt,
    })
    .execute();
}

/**
 * Marks what has ended here and another region does not know yet: the browser has no session of that person any more (signed out,
 * another person, a new password, an operator), or the person may not sign in any more. Asking the tables finds it whoever did it,
 * on whatever node or on the command line.
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
              .whereRef('sessions.person_id', '=', 'region_links.person_id')
              .whereRef('sessions.browser_id', '=', 'region_links.browser_id')
              .where('sessions.ended_at', 'is', null),
          ),
        ),
        // who comes from another region belongs to it: that they are disabled here says nothing there
        where.and([
          where('direction', '=', 'to'),
          where.not(
            where.exists(
              where
                .selectFrom('people')
                .select('id')
                .whereRef('people.id', '=', 'region_links.person_id')
                .where('people.status', '=', 'active'),
            ),
          ),
        ]),
      ]),
    )
    .executeTakeFirst();
  return Number(marked.numUpdatedRows);
}

const tellAtOnce = 50;
const longestWaitSeconds = 300;

/** What is to be told now; the next try is put off before this one, so that no two nodes tell the same. */
export async function claimUntoldLinks(
  database: Database,
  now: Date,
): Promise<{ id: string; region: string }[]> {
  const rows = await database
    .updateTable('region_links')
    .set({
      attempts: sql`attempts + 1`,
      next_attempt_at: sql`${now}::timestamptz + make_interval(secs => least(power(2, attempts), ${longestWaitSeconds}))`,
    })
    .where('link_id', 'in', (query) =>
      query
        .selectFrom('region_links')
        .select('link_id')
        .where('ended_at', 'is not', null)
        .where('told_at', 'is', null)
        .where('next_attempt_at', '<=', now)
        // by then the other region's session has ended by itself
        .where('expires_at', '>', now)
        .orderBy('next_attempt_at')
        .limit(tellAtOnce)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['link_id', 'region'])
    .execute();
  return rows.map((row) => ({ id: row.link_id, region: row.region }));
}

export async function noteTold(database: Database, ids: readonly string[], now: Date): Promise<void> {
  await database.updateTable('region_links').set({ told_at: now }).where('link_id', 'in', ids).execute();
}

/** The other region says that these have ended: nothing is to be told back. Answers whose sessions those are. */
export async function endLinks(
  transaction: DatabaseTransaction,
  region: string,
  ids: readonly string[],
  now: Date,
): Promise<{ personId: string; browserId: string }[]> {
  if (ids.length === 0) return [];
  const rows = await transaction
    .updateTable('region_links')
    .set({ ended_at: now, told_at: now })
    .where('link_id', 'in', ids)
    .where('region', '=', region)
    .where('ended_at', 'is', null)
    .returning(['person_id', 'browser_id'])
    .execute();
  return rows.map((row) => ({ personId: row.person_id, browserId: row.browser_id }));
}

/** What stays for those who look afterwards is in the audit log; answers how many rows are gone. */
export async function pruneRegions(database: Database, now: Date): Promise<number> {
  const longAgo = addSeconds(now, -600);
  const gone = await Promise.all([
    database.deleteFrom('region_departures').where('expires_at', '<', longAgo).executeTakeFirst(),
    database.deleteFrom('region_arrivals').where('expires_at', '<', longAgo).executeTakeFirst(),
    database.deleteFrom('used_region_tokens').where('expires_at', '<=', now).executeTakeFirst(),
    database.deleteFrom('region_links').where('expires_at', '<=', now).executeTakeFirst(),
  ]);
  return gone.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0);
}
