import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Database } from '../store/schema.ts';
import { countEach, countOfCounted, countersOfAddress, refundEach } from './window-counters.ts';
import type { WindowCounter } from './window-counters.ts';

/** A fixed-window limit that counts every attempt, successful or not. */
export type AllowanceLimit = { count: number; windowSeconds: number };

/** A visitor's address, which counts in its ranges (`lib/visitor-address.ts`), or any other text. */
export type AllowanceHolder = { address: string } | string;

export type Allowances = {
  /**
   * Counts one use of `what` by `who`, in one conditional statement, so that parallel callers on any number of nodes
   * cannot exceed the limit. Returns undefined if it is permitted, otherwise the seconds until the next use.
   */
  take: (what: string, who: AllowanceHolder, figures: AllowanceLimit) => Promise<number | undefined>;
  /** Reverts one use that turned out to be harmless. */
  revert: (what: string, who: AllowanceHolder) => Promise<void>;
};

/** Limits actions of visitors that are not failures, such as sending messages. Expired rows are pruned with the limits. */
export function createAllowances(dependencies: {
  database: Database;
  clock: Clock;
  keyRing: KeyRing;
}): Allowances {
  const { database, clock, keyRing } = dependencies;

  function countersOf(what: string, who: AllowanceHolder, count = 0): WindowCounter[] {
    const name = `${what} allowance`;
    return typeof who === 'string'
      ? [{ key: keyedHash(keyRing, `${name} ${who}`), limit: count }]
      : countersOfAddress(keyRing, name, who.address, count);
  }

  return {
    async take(what, who, { count, windowSeconds }) {
      const now = clock.now();
      const counters = countersOf(what, who, count);
      const keys = sql`string_to_array(${counters.map(({ key }) => key).join(',')}, ',')`;
      const { rows } = await sql<{ counted: number; expires_at: Date | null }>`
        with ${sql.join(countEach(counters, now, addSeconds(now, windowSeconds)))},
          taken as (select ${countOfCounted(counters)} as counted)
        select counted, (select expires_at from limits where key = (${keys})[counted + 1]) as expires_at
        from taken`.execute(database);
      const [row] = rows;
      if (row?.counted === counters.length) return undefined;
      const leftSeconds = Math.ceil(((row?.expires_at?.getTime() ?? 0) - now.getTime()) / 1000);
      return Math.max(1, leftSeconds);
    },

    async revert(what, who) {
      const { parts } = refundEach(countersOf(what, who));
      await sql`with ${sql.join(parts)} select`.execute(database);
    },
  };
}
