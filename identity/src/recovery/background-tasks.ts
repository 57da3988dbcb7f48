import type { Log } from '../lib/log.ts';
import { ContractError } from '../http/errors.ts';
import { tasksAtMost, tasksEveryMs } from './limits.ts';

/**
 * Work that goes on after the answer. What was asked for by name or e-mail is looked up here and not in the request, so that
 * an answer costs the same for everybody; and at a beat of its own, so that what a known person costs does not show in the
 * time of the next answer either (attacks and faults, S26, S27).
 */
export type BackgroundTasks = {
  /** @throws `overloaded` when too much waits. */
  add: (task: () => Promise<void>) => void;
  /** Does what waits now, one after the other; for the end of the service, and for tests. */
  workOff: () => Promise<void>;
};

export function createBackgroundTasks(log: Log): BackgroundTasks {
  let waiting: (() => Promise<void>)[] = [];
  let beat: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();

  async function workThrough(tasks: readonly (() => Promise<void>)[]): Promise<void> {
    for (const task of tasks) {
      await task().catch((error: unknown) => log.error({ err: error }, 'a recovery message was not sent'));
    }
  }

  function workOff(): Promise<void> {
    clearTimeout(beat);
    beat = undefined;
    const tasks = waiting;
    waiting = [];
    underWay = underWay.then(() => workThrough(tasks));
    return underWay;
  }

  return {
    add(task) {
      if (waiting.length >= tasksAtMost) {
        throw new ContractError('overloaded', {
          retryAfterSeconds: Math.ceil(tasksEveryMs / 1000),
          detail: 'too many recovery messages wait',
        });
      }
      waiting.push(task);
      beat ??= setTimeout(() => void workOff(), tasksEveryMs).unref();
    },
    workOff,
  };
}
