import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import type { Database } from './schema.ts';

/**
 * Of several nodes one does a job that all of them know. Whoever has the lease, has it for a while: a node that dies loses it by
 * doing nothing, and the next one that looks takes it over (`docs/decisions/022-one-node-does-a-job.md`).
 */
export type JobLeases = {
  /** Whether the job is due and this node's now. One conditional statement: of any number of nodes one gets it. */
  take: (job: string, leaseSeconds: number) => Promise<boolean>;
  /** Keeps it for longer; false when another node has it meanwhile. */
  extend: (job: string, leaseSeconds: number) => Promise<boolean>;
  /** Gives it back, due again after a while. Does nothing when another node has it meanwhile. */
  finish: (job: string, againInSeconds: number) => Promise<void>;
};

export function createJobLeases({
  database,
  clock,
  random,
}: {
  database: Database;
  clock: Clock;
  random: Random;
}): JobLeases {
  /** Of this process: a node that was restarted is another one. */
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
