import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import type { KeyIds } from '../lib/keys.ts';
import type { Random } from '../lib/random.ts';
import type { Database } from '../store/schema.ts';

/** A process that serves visitors, as operators' commands see it. */
export type LiveNode = { name: string; keyIds: KeyIds; startedAt: Date; seenAt: Date };

const reportEverySeconds = 10;
/** A node that missed five reports is gone. */
const goneAfterSeconds = 60;

type Needed = { database: Database; clock: Clock };

/** Reports that this process runs and which keys it knows, until it is stopped. */
export async function startNodeReports(
  { database, clock, random, log }: Needed & { random: Random; log: Logger },
  keyIds: KeyIds,
): Promise<{ stop: () => Promise<void> }> {
  const startedAt = clock.now();
  const id = random.token(16);
  const report = async (): Promise<void> => {
    const now = clock.now();
    await database
      .insertInto('nodes')
      .values({
        id,
        name: `${hostname()}:${process.pid}`,
        known_keys: JSON.stringify(keyIds),
        started_at: startedAt,
        seen_at: now,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
      .execute();
  };
  await report();
  let reporting = Promise.resolve();
  const timer = setInterval(() => {
    reporting = report().catch((error: unknown) => log.debug({ err: error }, 'the node could not report'));
  }, reportEverySeconds * 1000);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
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

export async function pruneNodes({ database, clock }: Needed): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('nodes')
    .where('seen_at', '<=', addSeconds(clock.now(), -goneAfterSeconds))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
