import { sql } from 'kysely';
import type { Log } from '../lib/log.ts';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import { signInNameKey } from '../lib/names.ts';
import { deleteInBatches } from '../store/expired-rows.ts';
import type { Database } from '../store/schema.ts';
import { isDatabaseUnavailable } from '../store/unavailable.ts';
import type { Audit, AuditEvent } from './audit.ts';
import { writeEvents } from './audit-store.ts';
import type { QueuedEvent } from './audit-store.ts';
import { createFloodGuard } from './floods.ts';

export type AuditSettings = {
  addresses: boolean;
  days: number;
};

type Needed = {
  database: Database;
  clock: Clock;
  log: Log;
  keyRing: KeyRing;
  countEvent: (event: AuditEvent['event'], result: AuditEvent['result']) => void;
  countLost: (count: number) => void;
};

/** A batch is written after this time, or as soon as it has this size. */
const writeEveryMs = 1_000;
const batchSize = 200;
/**
 * The size of the queue: the events of a few minutes on a busy node, about 10 MB. If more are queued, the oldest are
 * dropped; the log still contains them.
 */
const waitingAtMost = 20_000;
/** Slightly longer than the window of a flood, which is a minute. */
const summariseEveryMs = 61_000;
/** The maximum interval between attempts while the database is unavailable. The interval doubles each time. */
const longestWaitMs = 30_000;

/**
 * Records events in the background: a log line at once, a row with the next batch. A request never waits for the audit
 * log, and never fails because of it.
 */
export function createAudit({ database, clock, log, ...needed }: Needed, settings: AuditSettings): Audit {
  let waiting: QueuedEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let failures = 0;
  const floods = createFloodGuard(clock);
  let summary: NodeJS.Timeout | undefined;

  function lose(count: number, reason: string): void {
    if (count === 0) return;
    needed.countLost(count);
    log.error({ count, reason }, 'audit events were not stored: only this log contains them');
  }

  /** Removes the address just before storage, because floods are counted by address. */
  const toStored = (event: QueuedEvent): QueuedEvent =>
    settings.addresses ? event : { ...event, address: undefined };

  function summariseLater(): void {
    summary ??= setTimeout(() => {
      summary = undefined;
      void flush();
    }, summariseEveryMs).unref();
  }

  function writeLater(): void {
    const waitMs = Math.min(writeEveryMs * 2 ** failures, longestWaitMs);
    timer ??= setTimeout(() => void flush(), waitMs).unref();
  }

  async function writeBatch(batch: readonly QueuedEvent[]): Promise<'written' | 'later'> {
    try {
      await writeEvents(database, batch);
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        log.warn(
          { err: error, waiting: waiting.length + batch.length },
          'cannot write audit events: the database is unavailable',
        );
        return 'later';
      }
      // The database rejects one of the events: write them singly, so that the rejected event does not block the
      // others.
      log.error({ err: error }, 'cannot write a batch of audit events');
      for (const event of batch)
        await writeEvents(database, [event]).catch(() => lose(1, 'the database rejects the event'));
    }
    return 'written';
  }

  async function writeAll(): Promise<void> {
    waiting.push(...floods.takeSummaries().map(toStored));
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSize);
      if ((await writeBatch(batch)) === 'later') {
        failures += 1;
        waiting = [...batch, ...waiting];
        dropOldest();
        writeLater();
        return;
      }
      failures = 0;
    }
  }

  /** Drops the oldest events: the newest show the current situation. */
  function dropOldest(): void {
    const tooMany = waiting.length - waitingAtMost;
    if (tooMany > 0) lose(waiting.splice(0, tooMany).length, 'the queue is full');
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (writing === undefined) {
      writing = writeAll().finally(() => (writing = undefined));
      await writing;
      return;
    }
    await writing;
    if (waiting.length > 0 && failures === 0) await flush();
  }

  return {
    note(event, { correlationId, address }) {
      try {
        needed.countEvent(event.event, event.result);
        log.info({ correlationId, ...event }, `${event.event}: ${event.result}`);
        const noted = { ...event, at: clock.now(), correlationId, address };
        if (!floods.admit(noted)) {
          summariseLater();
          return;
        }
        waiting.push(toStored(noted));
        // Drops only once the queue is a tenth above the limit, so that a flood does not move the whole array for each
        // event.
        if (waiting.length > waitingAtMost * 1.1) dropOldest();
        if (waiting.length >= batchSize && failures === 0 && writing === undefined) void flush();
        else writeLater();
      } catch (error) {
        log.error({ err: error }, 'cannot record an audit event');
      }
    },
    nameHash: (typedName) => keyedHash(needed.keyRing, `audit name ${signInNameKey(typedName)}`).slice(0, 22),
    flush,
    async close() {
      waiting.push(...floods.takeSummaries(true).map(toStored));
      await flush();
      clearTimeout(timer);
      clearTimeout(summary);
      lose(waiting.splice(0).length, 'the service shuts down and the database is unavailable');
    },
    prune() {
      const before = addSeconds(clock.now(), -settings.days * 24 * 60 * 60);
      return deleteInBatches(database, { table: 'audit_events', key: ['number'] }, sql`at < ${before}`);
    },
  };
}
