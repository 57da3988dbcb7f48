import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from './lib/log.ts';
import { NoWorkerError } from './start-problems.ts';
import { longestAcceptQueues } from './stop-in-order.ts';
import type { WorkerProcess } from './worker-process.ts';

/** A worker that has served for this long is restarted without a wait when it ends. */
const provenAfterMs = 60_000;
const longestWaitSeconds = 30;

export type WorkerPool = {
  /**
   * Resolves once the workers listen; to undefined if they were stopped before. Throws NoWorkerError if the first
   * worker cannot start.
   */
  start: () => Promise<{ port: number | undefined; listening: number } | undefined>;
  running: () => readonly WorkerProcess[];
  /** Replaces all workers, one after another. */
  replaceAll: () => Promise<void>;
  /** Shuts all workers down in the order of `stopInOrder`. */
  stop: () => Promise<void>;
  kill: () => void;
};

/** Keeps `count` workers running. */
export function createWorkerPool(
  count: number,
  {
    fork,
    log,
    giveUp,
  }: {
    fork: (number: number) => WorkerProcess;
    log: Log;
    /** Called when the last worker has ended and the next one could not start. */
    giveUp: (error: NoWorkerError) => void;
  },
): WorkerPool {
  const running = new Set<WorkerProcess>();
  const timers = new Set<NodeJS.Timeout>();
  /** How many times in a row each worker ended before it had served for `provenAfterMs`. */
  const failures = new Map<number, number>();
  let hasStarted = false;
  let isStopping = false;
  let isReplacing = false;

  const present = (number: number): WorkerProcess | undefined =>
    [...running].find((worker) => worker.number === number && !worker.isReplaced());

  const countListening = (): number => [...running].filter((worker) => worker.isListening()).length;

  function start(number: number): WorkerProcess {
    const startedMs = performance.now();
    const worker = fork(number);
    running.add(worker);
    // Only this worker was signalled: it can close its port at once, because the other workers accept its connections.
    void worker.drained.then(() => {
      if (!isStopping) worker.mayClose();
    });
    void worker.ended.then((how) => {
      running.delete(worker);
      // `start` reports a first worker that cannot start
      if (!hasStarted || isStopping || worker.isReplaced()) return;
      log.error({ worker: number, reason: nameOf(how) }, 'a worker ended');
      if (present(number) === undefined) startAgain(worker, how, performance.now() - startedMs);
    });
    return worker;
  }

  function startAgain(worker: WorkerProcess, how: number | string, livedMs: number): void {
    const { number } = worker;
    if (running.size === 0 && !worker.isListening()) {
      giveUp(cannotStart(number, how));
      return;
    }
    const before = worker.isListening() && livedMs >= provenAfterMs ? 0 : (failures.get(number) ?? 0);
    failures.set(number, before + 1);
    const waitSeconds = before === 0 ? 0 : Math.min(2 ** (before - 1), longestWaitSeconds);
    log.info({ worker: number, waitSeconds }, 'the worker starts again');
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (present(number) === undefined) start(number);
    }, waitSeconds * 1000);
    timers.add(timer);
  }

  async function replace(number: number): Promise<boolean> {
    const old = present(number);
    const next = start(number);
    await next.listening;
    if (isStopping) return false;
    if (!next.isListening()) {
      log.error({ worker: number }, 'the new worker could not start; the others stay as they are');
      return false;
    }
    old?.replace();
    await old?.ended;
    return true;
  }

  return {
    running: () => [...running],
    async start() {
      // The first worker starts alone: it migrates the database, and a problem is reported only once.
      const first = start(1);
      const port = await first.listening;
      if (isStopping) return undefined;
      if (!first.isListening()) throw cannotStart(1, await first.ended);
      hasStarted = true;
      const others = Array.from({ length: count - 1 }, (_, index) => start(index + 2));
      await Promise.all(others.map((worker) => worker.listening));
      return isStopping ? undefined : { port, listening: countListening() };
    },
    async replaceAll() {
      if (isStopping || isReplacing || !hasStarted) return;
      isReplacing = true;
      log.info('the workers are replaced one after the other');
      let number = 1;
      while (number <= count && (await replace(number))) number += 1;
      isReplacing = false;
      if (number > count) log.info({ workers: countListening() }, 'the workers have been replaced');
    },
    async stop() {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      const leaving = [...running];
      const served = leaving.filter((worker) => worker.isListening());
      for (const worker of leaving) worker.kill('SIGTERM');
      await Promise.all(leaving.map((worker) => worker.drained));
      await passOnQueued(leaving);
      for (const worker of leaving) worker.mayClose();
      await Promise.all(leaving.map((worker) => worker.closed));
      const ends = await Promise.all(served.map((worker) => worker.ended));
      const bad = ends.filter((how) => how !== 0);
      if (bad.length > 0) throw new Error(`workers ended with ${bad.map(nameOf).join(' and ')}`);
    },
    kill() {
      for (const worker of running) worker.kill('SIGKILL');
    },
  };
}

/**
 * Resolves when no connection waits for a worker. While connections are queued, this process passes on at least one per
 * port in each turn of its event loop, unless every worker still has one to accept. So the queues are empty when the
 * workers have accepted nothing between two questions. The function also ends after as many rounds as the queues can
 * hold connections.
 */
async function passOnQueued(workers: readonly WorkerProcess[]): Promise<void> {
  let before: number;
  let accepted = -1;
  let rounds = 0;
  do {
    before = accepted;
    await nextTurn();
    const counts = await Promise.all(workers.map((worker) => worker.ask('accepted')));
    accepted = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
    rounds += 1;
  } while (accepted !== before && rounds < longestAcceptQueues);
}

function cannotStart(number: number, how: number | string): NoWorkerError {
  return new NoWorkerError(
    `No worker serves visitors: worker ${number} ended with ${nameOf(how)} before it could. The reason is above, or in the log.`,
  );
}

function nameOf(how: number | string): string {
  return typeof how === 'number' ? `exit code ${how}` : how;
}
