/** Work was rejected because the queue is full or closed. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

export type WorkQueueOptions = {
  /** The number of tasks that run at once. */
  concurrency: number;
  /** The maximum waiting time; it limits the length of the queue. */
  queueSeconds: number;
  /** The assumed duration of a task until it has been measured. */
  firstEstimateSeconds: number;
};

export type WorkQueue = {
  /**
   * Runs `work` when a slot is free, first come, first served.
   * @throws QueueFullError at once if the wait would exceed the queue time
   */
  run: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /**
   * Reserves capacity for later work, before any other work for a request. Returns the function that releases it. The
   * capacity is the number of running and waiting tasks.
   * @throws QueueFullError at once if no capacity is left
   */
  admit: () => () => void;
  /**
   * Reserves nothing.
   * @throws QueueFullError if `admit` would throw now
   */
  requireRoom: () => void;
  /** Closes the queue: rejects waiting and new tasks, while running tasks finish. */
  refuseWaiting: () => void;
  running: () => number;
  waiting: () => number;
};

/** The weight of the latest measurement: the estimate adapts within about twenty tasks. */
const newestWeight = 0.1;

/** A semaphore with a queue that is bounded by time: its length depends on how long a task currently takes. */
export function createWorkQueue(
  options: WorkQueueOptions,
  monotonicMs: () => number = () => performance.now(),
): WorkQueue {
  const waiting: { begin: () => void; refuse: (error: QueueFullError) => void }[] = [];
  let running = 0;
  let isOpen = true;
  let admitted = 0;
  let estimateSeconds = options.firstEstimateSeconds;

  const longestQueue = (): number =>
    Math.max(1, Math.floor((options.queueSeconds / estimateSeconds) * options.concurrency));

  async function takeSlot(): Promise<void> {
    if (!isOpen) throw new QueueFullError('the queue is closed');
    if (running < options.concurrency) {
      running += 1;
      return;
    }
    if (waiting.length >= longestQueue()) throw new QueueFullError('the queue is full');
    // the ending task passes its slot on directly, so that no new task can take the slot before the waiting one
    await new Promise<void>((begin, refuse) => waiting.push({ begin, refuse }));
  }

  function releaseSlot(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next.begin();
  }

  function requireRoom(): void {
    if (admitted >= options.concurrency + longestQueue())
      throw new QueueFullError('all admissions are taken');
  }

  return {
    async run(work) {
      await takeSlot();
      const startedAtMs = monotonicMs();
      try {
        return await work();
      } finally {
        const tookSeconds = (monotonicMs() - startedAtMs) / 1000;
        estimateSeconds += (tookSeconds - estimateSeconds) * newestWeight;
        releaseSlot();
      }
    },
    requireRoom,
    admit() {
      requireRoom();
      admitted += 1;
      let isInside = true;
      return () => {
        if (isInside) admitted -= 1;
        isInside = false;
      };
    },
    refuseWaiting() {
      isOpen = false;
      for (const { refuse } of waiting.splice(0)) refuse(new QueueFullError('the queue is closed'));
    },
    running: () => running,
    waiting: () => waiting.length,
  };
}
