import type { OpenidProvider } from '../provider/provider.ts';
import type { Allowances } from '../limits/allowances.ts';
import type { Services } from '../services.ts';
import type { Log } from '../lib/log.ts';
import { ContractError } from '../http/errors.ts';
import type { Links } from './links-store.ts';
import { maximumQueuedTasks, taskIntervalMs } from './link-limits.ts';

/** The dependencies of the recovery calls. */
export type RecoveryServices = Services & {
  allowances: Allowances;
  backgroundTasks: BackgroundTasks;
  links: Links;
  notifyApplications: OpenidProvider['notifyApplications'];
};

/**
 * Runs work after the response. Users are looked up here and not during the request, so that a request takes the same
 * time for known and unknown users. Tasks run at fixed intervals, so that the work for a known user does not noticeably
 * delay the next response (attacks and faults, S26, S27).
 */
type BackgroundTasks = {
  /** @throws `overloaded` if the queue is full */
  add: (task: () => Promise<void>) => void;
  /** Runs the queued tasks one after the other. Called on shutdown and in tests. */
  drain: () => Promise<void>;
};

export function createBackgroundTasks(log: Log): BackgroundTasks {
  let queue: (() => Promise<void>)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  async function runTasks(tasks: readonly (() => Promise<void>)[]): Promise<void> {
    for (const task of tasks) {
      await task().catch((error: unknown) => log.error({ err: error }, 'a recovery message was not sent'));
    }
  }

  function drain(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const tasks = queue;
    queue = [];
    running = running.then(() => runTasks(tasks));
    return running;
  }

  return {
    add(task) {
      if (queue.length >= maximumQueuedTasks) {
        throw new ContractError('overloaded', {
          retryAfterSeconds: Math.ceil(taskIntervalMs / 1000),
          detail: 'too many recovery messages are waiting',
        });
      }
      queue.push(task);
      timer ??= setTimeout(() => void drain(), taskIntervalMs).unref();
    },
    drain,
  };
}
