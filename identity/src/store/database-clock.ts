import { sql } from 'kysely';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/clock.ts';
import { createSteadyClock } from '../lib/steady-clock.ts';
import type { Database } from './schema.ts';

const correctEverySeconds = 60;
/** A difference that an operator should hear of: tokens carry the machine's own time, and applications allow a minute or so. */
const notableMs = 10_000;
/** An answer that took longer says too little of the time. */
const longestAnswerMs = 1_000;

export type DatabaseClock = Clock & { stop: () => void };

/**
 * The time of the database, which all nodes share: what one of them says lives for a minute lives for the same minute on every other,
 * whatever their machines' clocks show.
 */
export async function startDatabaseClock(database: Database, log: Log): Promise<DatabaseClock> {
  const read = async (): Promise<number | undefined> => {
    const askedMs = performance.now();
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
    const tookMs = performance.now() - askedMs;
    const time = rows[0]?.now.getTime();
    return time === undefined || tookMs > longestAnswerMs ? undefined : time + tookMs / 2;
  };
  const steady = createSteadyClock((await read()) ?? Date.now());

  const tellOfMachine = (): void => {
    const machineAheadMs = Date.now() - steady.now().getTime();
    if (Math.abs(machineAheadMs) >= notableMs) {
      log.warn(
        { machineAheadMs: Math.round(machineAheadMs) },
        'the machine and the database do not agree on the time',
      );
    }
  };
  const correct = async (): Promise<void> => {
    const time = await read();
    const aheadMs = time === undefined ? 0 : steady.correct(time);
    if (Math.abs(aheadMs) >= notableMs) {
      log.warn({ databaseAheadMs: Math.round(aheadMs) }, 'the clock of the database has jumped');
    }
    tellOfMachine();
  };
  tellOfMachine();

  // while the database is away the time goes on without it
  const timer = setInterval(() => void correct().catch(() => undefined), correctEverySeconds * 1000);
  timer.unref();
  return { now: steady.now, stop: () => clearInterval(timer) };
}
