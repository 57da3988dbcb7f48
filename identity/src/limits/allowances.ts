import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Database } from '../store/schema.ts';

/** So many in a window of time, whatever becomes of each. */
export type AllowanceFigures = { count: number; windowSeconds: number };

export type Allowances = {
  /**
   * Takes one of what `who` is allowed of `what`, in one conditional statement, so that parallel takers on any number of
   * nodes get no more than there is. Answers undefined when it was taken, else the seconds until there is one again.
   */
  take: (what: string, who: string, figures: AllowanceFigures) => Promise<number | undefined>;
};

/** For what anybody may cause without failing at anything, such as messages. Their rows are pruned with the limits. */
export function createAllowances(dependencies: {
  database: Database;
  clock: Clock;
  keyRing: KeyRing;
}): Allowances {
  const { database, clock, keyRing } = dependencies;
  return {
    async take(what, who, { count, windowSeconds }) {
      const now = clock.now();
      const key = keyedHash(keyRing, `${what} allowance ${who}`);
      const { rows } = await sql<{ taken: boolean; expires_at: Date | null }>`
        with taken as (
          insert into limits (key, used, expires_at) values (${key}, 1, ${addSeconds(now, windowSeconds)})
          on conflict (key) do update set
            used = case when limits.expires_at <= ${now} then 1 else limits.used + 1 end,
            expires_at = case when limits.expires_at <= ${now} then excluded.expires_at else limits.expires_at end
          where limits.expires_at <= ${now} or limits.used < ${count}
          returning 1
        )
        select exists (select from taken) as taken, (select expires_at from limits where key = ${key}) as expires_at`.execute(
        database,
      );
      const [row] = rows;
      if (row?.taken === true) return undefined;
      const leftSeconds = Math.ceil(((row?.expires_at?.getTime() ?? 0) - now.getTime()) / 1000);
      return Math.max(1, leftSeconds);
    },
  };
}
