import type { Log } from './lib/log.ts';
import type { JobLeases } from './store/job-leases.ts';

/** Something that has to be done from time to time, by one node of all. */
export type Job = {
  /** As the lease and the log call it. */
  name: string;
  everySeconds: number;
  /** Answers what was done, for the log. A failure (the database is away) is done again after `everySeconds`, by whichever node. */
  work: () => Promise<object>;
};

/** A node that dies in the middle is followed by another one after this long. */
const leaseSeconds = 60;
/** Two nodes that look at the same moment ask one small statement each. */
const lookEverySeconds = 5;

export type RunningJobs = {
  /** Begins nothing any more; resolves once what was under way is done. */
  stop: () => Promise<void>;
  /** Looks now, for every job; resolves once what was due is done. */
  look: () => Promise<void>;
};

/** Looks at intervals which jobs are due, and does those that this node gets the lease of. */
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
