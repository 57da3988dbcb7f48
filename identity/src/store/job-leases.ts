import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import type { StoreContext } from './store-context.ts';

/**
 * Leases, so that only one of several nodes runs a shared job. A lease expires: if its holder stops, the next node
 * that asks takes over (`docs/decisions/022-one-node-does-a-job.md`).
 */
export type JobLeases = {
  /**
   * Whether the job is due and now leased to this node. A single conditional statement takes it, so only one of several
   * nodes succeeds.
   */
  take: (job: string, leaseSeconds: number) => Promise<boolean>;
  /** Extends the lease; false if another node has taken it. */
  extend: (job: string, leaseSeconds: number) => Promise<boolean>;
  /** Ends the lease and schedules the next run. Does nothing if another node has taken it. */
  finish: (job: string, againInSeconds: number) => Promise<void>;
};

export function createJobLeases({ database, clock, random }: Omit<StoreContext, 'keyRing'>): JobLeases {
  /** Identifies the process: a restarted node is a new holder. */
  const holder = random.token(16);

  return {
    async take(job, leaseSeconds) {
      const now = clock.now();
      const lease = { holder, held_until: addSeconds(now, leaseSeconds) };
      const taken = await database
        .insertInto('job_leases')
        .values({ name: job, ...lease, next_run_at: now })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet(lease)
            .where('job_leases.next_run_at', '<=', now)
            .where('job_leases.held_until', '<=', now),
        )
        .returning('name')
        .executeTakeFirst();
      return taken !== undefined;
    },

    async extend(job, leaseSeconds) {
      const { numUpdatedRows } = await database
        .updateTable('job_leases')
        .set({ held_until: addSeconds(clock.now(), leaseSeconds) })
        .where('name', '=', job)
        .where('holder', '=', holder)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async finish(job, againInSeconds) {
      const now = clock.now();
      await database
        .updateTable('job_leases')
        .set({ held_until: now, next_run_at: addSeconds(now, againInSeconds) })
        .where('name', '=', job)
        .where('holder', '=', holder)
        .where(sql<boolean>`held_until > ${now}`)
        .execute();
    },
  };
}
