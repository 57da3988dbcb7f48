import { sql } from 'kysely';
import type { Database, Tables } from '../../src/store/schema.ts';
import { until } from '../until.ts';

/** Controls the inserts that `holdInserts` stops. */
export type HeldInserts = {
  /** Resolves once an insert waits in its trigger; its transaction keeps the row locks that it has taken so far. */
  untilHeld: () => Promise<void>;
  /** Resolves once another statement waits for a lock of the held transaction, or once `call` has finished without waiting. */
  untilBlockedOrDone: (call: Promise<unknown>) => Promise<void>;
  /** Lets the held inserts, and all later ones, continue. */
  letGo: () => Promise<void>;
};

/**
 * Runs `act` while inserts into a table stop in the middle of their transaction, so that a test can make another call at
 * exactly this point.
 *
 * A trigger on the table requests a shared advisory lock that this function's own connection holds exclusively. PostgreSQL
 * reports which backend blocks which (`pg_blocking_pids`), so the test can wait for the lock itself. PostgreSQL only: the
 * embedded database has a single connection, which would deadlock.
 */
export async function holdInserts(
  database: Database,
  /** `when` is the condition of the trigger (an SQL expression on `new`); without it every insert is held. */
  { table, when = 'true' }: { table: keyof Tables; when?: string },
  act: (held: HeldInserts) => Promise<void>,
): Promise<void> {
  await database.connection().execute(async (holder) => {
    await sql`create function hold_insert() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(tg_relid::bigint);
        return new;
      end $$`.execute(holder);
    await sql`create trigger hold_insert before insert on ${sql.table(table)}
      for each row when (${sql.raw(when)}) execute function hold_insert()`.execute(holder);
    await sql`select pg_advisory_lock(${table}::regclass::oid::bigint)`.execute(holder);
    const isAny = async (query: ReturnType<typeof sql>) => (await query.execute(holder)).rows.length > 0;
    const blocked = sql`select pid from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`;
    const letGo = async () => void (await sql`select pg_advisory_unlock_all()`.execute(holder));
    try {
      await act({
        untilHeld: () => until(() => isAny(blocked)),
        async untilBlockedOrDone(call) {
          let isDone = false;
          const noteDone = () => void (isDone = true);
          call.then(noteDone, noteDone);
          const behind = sql`select from pg_stat_activity waiting
            join (${blocked}) held on held.pid = any(pg_blocking_pids(waiting.pid))`;
          await until(async () => isDone || (await isAny(behind)));
        },
        letGo,
      });
    } finally {
      await letGo();
      await sql`drop function hold_insert cascade`.execute(holder);
    }
  });
}
