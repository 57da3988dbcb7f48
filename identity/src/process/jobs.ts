import type { Log } from '../lib/log.ts';
import type { JobLeases } from '../store/job-leases.ts';

/** A background job that runs periodically on one of the nodes. */
export type Job = {
  /** The name for the lease and the log. */
  name: string;
  everySeconds: number;
  /** Returns the result for the log. After a failure, any node runs the job again after `everySeconds`. */
  work: () => Promise<object>;
};

/** If a node crashes during a job, another node takes the job over after this time. */
const leaseSeconds = 60;
/** This can be short, because a check is one small statement. */
const lookEverySeconds = 5;

export type RunningJobs = {
  /** Starts no further job, and resolves when the running ones are done. */
  stop: () => Promise<void>;
  /** Checks all jobs now, and resolves when the due jobs are done. */
  look: () => Promise<void>;
};

/** Checks periodically which jobs are due, and runs those whose lease this node gets. */
export function startJobs(
  jobs: readonly Job[],
  { leases, log }: { leases: JobLeases; log: Log },
): RunningJobs {
  const underWay = new Map<string, Promise<void>>();
  let stopped = false;

  async function run({ name, everySeconds, work }: Job): Promise<void> {
    if (!(await leases.take(name, leaseSeconds))) return;
    const extending = setInterval(
      () => void leases.extend(name, leaseSeconds).catch(() => undefined),
      (leaseSeconds * 1000) / 3,
    );
    try {
      const done = await work();
      log.debug({ job: name, ...done }, 'job done');
    } catch (error) {
      log.warn({ err: error, job: name }, 'a job could not be done');
    } finally {
      clearInterval(extending);
      await leases.finish(name, everySeconds);
    }
  }

  async function look(): Promise<void> {
    if (stopped) return;
    for (const job of jobs) {
      if (underWay.has(job.name)) continue;
      const running = run(job)
        .catch((error: unknown) => log.warn({ err: error, job: job.name }, 'could not look for a job'))
        .finally(() => underWay.delete(job.name));
      underWay.set(job.name, running);
    }
    await Promise.all(underWay.values());
  }

  const timer = setInterval(() => void look(), lookEverySeconds * 1000);
  timer.unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await Promise.all(underWay.values());
    },
    look,
  };
}
