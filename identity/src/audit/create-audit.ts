import type { Log } from '../lib/log.ts';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import { signInNameKey } from '../lib/sign-in-name.ts';
import type { Database } from '../store/schema.ts';
import { isDatabaseUnavailable } from '../store/unavailable.ts';
import type { Audit, AuditEvent } from './audit.ts';
import { forgetEventsBefore, writeEvents } from './audit-store.ts';
import type { NotedEvent } from './audit-store.ts';
import { createFloodGuard } from './floods.ts';

export type AuditSettings = { addresses: boolean; days: number };

type Needed = {
  database: Database;
  clock: Clock;
  log: Log;
  keyRing: KeyRing;
  countEvent: (event: AuditEvent['event'], result: AuditEvent['result']) => void;
  countLost: (count: number) => void;
};

/** An event waits at most this long, or until so many others wait with it. */
const writeEveryMs = 1_000;
const batchSize = 200;
/** Some minutes of a busy node, in some 10 MB; beyond it the oldest are lost (the log has them). */
const waitingAtMost = 20_000;
/** A flood is told of once it is a minute old. */
const summariseEveryMs = 61_000;
/** While the database is away it is asked again after a wait that doubles up to this. */
const longestWaitMs = 30_000;

/**
 * Notes events beside the visitor's own work: a line in the log at once, a row with the next batch. No statement of a sign-in
 * waits for it, and none fails because of it.
 */
export function createAudit({ database, clock, log, ...needed }: Needed, settings: AuditSettings): Audit {
  let waiting: NotedEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let failures = 0;
  const floods = createFloodGuard(clock);
  let summary: NodeJS.Timeout | undefined;

  function lose(count: number, reason: string): void {
    if (count === 0) return;
    needed.countLost(count);
    log.error({ count, reason }, 'audit events are lost: only this log has them');
  }

  /** Addresses tell floods apart also where they are not kept. */
  const toKeep = (event: NotedEvent): NotedEvent =>
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

  async function writeBatch(batch: readonly NotedEvent[]): Promise<'written' | 'later'> {
    try {
      await writeEvents(database, batch);
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        log.warn(
          { err: error, waiting: waiting.length + batch.length },
          'audit events could not be written yet',
        );
        return 'later';
      }
      // one that the database does not take must not hold up the others
      log.error({ err: error }, 'audit events could not be written together');
      for (const event of batch)
        await writeEvents(database, [event]).catch(() => lose(1, 'the database does not take it'));
    }
    return 'written';
  }

  async function writeAll(): Promise<void> {
    waiting.push(...floods.takeSummaries().map(toKeep));
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

  /** The newest are kept: they tell of what is going on. */
  function dropOldest(): void {
    const tooMany = waiting.length - waitingAtMost;
    if (tooMany > 0) lose(waiting.splice(0, tooMany).length, 'too many wait');
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
        waiting.push(toKeep(noted));
        // a tenth more than fit, so that a flood does not move the whole list for each event
        if (waiting.length > waitingAtMost * 1.1) dropOldest();
        if (waiting.length >= batchSize && failures === 0 && writing === undefined) void flush();
        else writeLater();
      } catch (error) {
        log.error({ err: error }, 'an audit event could not be noted');
      }
    },
    nameHash: (typedName) => keyedHash(needed.keyRing, `audit name ${signInNameKey(typedName)}`).slice(0, 22),
    flush,
    async close() {
      waiting.push(...floods.takeSummaries(true).map(toKeep));
      await flush();
      clearTimeout(timer);
      clearTimeout(summary);
      lose(waiting.splice(0).length, 'the service stops and the database is away');
    },
    prune: () => forgetEventsBefore(database, addSeconds(clock.now(), -settings.days * 24 * 60 * 60)),
  };
}
