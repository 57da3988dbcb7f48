import { sql } from 'kysely';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/clock.ts';
import { createSteadyClock } from '../lib/steady-clock.ts';
import type { Database } from './schema.ts';

const correctEverySeconds = 60;
/**
 * A clock difference that is worth a warning: tokens carry the machine's time, and applications tolerate about a
 * minute.
 */
const notableMs = 10_000;
/** A slower response is ignored, because the time in it is too imprecise. */
const longestAnswerMs = 1_000;

export type DatabaseClock = Clock & { stop: () => void };

/**
 * Follows the time of the database, which all nodes share, so that lifetimes do not depend on the clock of each
 * machine.
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
        'the clocks of the machine and the database differ',
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

  // while the database is unavailable, the clock continues with the last difference
  const timer = setInterval(() => void correct().catch(() => undefined), correctEverySeconds * 1000);
  timer.unref();
  return { now: steady.now, stop: () => clearInterval(timer) };
}
