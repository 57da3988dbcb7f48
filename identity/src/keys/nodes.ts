import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Log } from '../lib/log.ts';
import { addSeconds } from '../lib/clock.ts';
import type { KeyIds, KeySetting } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import type { StoreContext } from '../store/store-context.ts';

/** A process that serves visitors, as operators' commands list it. */
export type LiveNode = { name: string; keyIds: KeyIds; startedAt: Date; seenAt: Date };

const reportEverySeconds = 10;
/** A node that has not reported for this long has stopped. */
const goneAfterSeconds = 60;

type Needed = Pick<StoreContext, 'database' | 'clock'>;

/** The database's response to a report. A report also proves that the database accepts and acknowledges changes. */
export type NodeReport = {
  databaseTime: Date;
  /** The keys that the production nodes use. A process outside production on the same database can use others. */
  keysInUse: Partial<Record<KeySetting, string>>;
};

export type NodeReports = {
  /** Records that this process is running, and which keys it knows. */
  report: () => Promise<NodeReport>;
  /**
   * Reports this node at once and then at intervals. A failure of a later report is logged, and the next report tries
   * again.
   */
  start: () => Promise<void>;
  /** Stops reporting and deletes the node's record. */
  stop: () => Promise<void>;
};

export function createNodeReports(
  { database, clock, random, log }: Needed & { random: Random; log: Log },
  keyIds: KeyIds,
): NodeReports {
  const startedAt = clock.now();
  const id = random.token(16);
  let reporting: Promise<unknown> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<NodeReport> {
    const now = clock.now();
    const row = await database
      .insertInto('nodes')
      .values({
        id,
        name: `${hostname()}:${process.pid}`,
        known_keys: JSON.stringify(keyIds),
        started_at: startedAt,
        seen_at: now,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
      .returning([
        sql<Date>`clock_timestamp()`.as('now'),
        sql<NodeReport['keysInUse'] | null>`
          (select json_object_agg(setting, key_id) from keys_in_use where production)`.as('keys_in_use'),
      ])
      .executeTakeFirstOrThrow();
    return { databaseTime: row.now, keysInUse: row.keys_in_use ?? {} };
  }
  function report(): Promise<NodeReport> {
    const writing = write();
    reporting = writing.catch((error: unknown) => log.debug({ err: error }, 'the node could not report'));
    return writing;
  }

  return {
    report,
    async start() {
      await report();
      timer = setInterval(() => void report().catch(() => undefined), reportEverySeconds * 1000);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      if (reporting === undefined) return;
      await reporting;
      await database.deleteFrom('nodes').where('id', '=', id).execute();
    },
  };
}

export async function listLiveNodes({ database, clock }: Needed): Promise<LiveNode[]> {
  const rows = await database
    .selectFrom('nodes')
    .selectAll()
    .where('seen_at', '>', addSeconds(clock.now(), -goneAfterSeconds))
    .orderBy('started_at')
    .execute();
  return rows.map((row) => ({
    name: row.name,
    keyIds: row.known_keys,
    startedAt: row.started_at,
    seenAt: row.seen_at,
  }));
}
