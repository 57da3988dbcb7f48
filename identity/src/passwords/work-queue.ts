/** Work that was not begun, because too much is waiting already. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

export type WorkQueueFigures = {
  /** How many pieces of work run at once. */
  concurrency: number;
  /** No more waits than is done within this time. */
  queueSeconds: number;
  /** How long one piece takes, until it has been measured. */
  firstEstimateSeconds: number;
};

export type WorkQueue = {
  /**
   * Runs `work` when a slot is free, first come, first served.
   * @throws QueueFullError at once when it would have to wait longer than the queue is long.
   */
  run: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /**
   * A place in the house for somebody who will bring work, taken before anything is done for them; answers how to give it
   * back. There are as many as run and may wait.
   * @throws QueueFullError at once when there is none.
   */
  admit: () => () => void;
  /** From now on nothing waits: whoever does so is refused at once, and what is running is finished. */
  refuseWaiting: () => void;
  running: () => number;
  waiting: () => number;
};

/** How much the newest measurement counts: the estimate follows within some twenty pieces of work. */
const newestWeight = 0.1;

/** A semaphore with a queue that is bounded by time: how many may wait follows from how long a piece of work takes now. */
export function createWorkQueue(
  figures: WorkQueueFigures,
  monotonicMs: () => number = () => performance.now(),
): WorkQueue {
  const waiting: { begin: () => void; refuse: (error: QueueFullError) => void }[] = [];
  let running = 0;
  let isOpen = true;
  let admitted = 0;
  let estimateSeconds = figures.firstEstimateSeconds;

  const longestQueue = (): number =>
    Math.max(1, Math.floor((figures.queueSeconds / estimateSeconds) * figures.concurrency));

  async function takeSlot(): Promise<void> {
    if (!isOpen) throw new QueueFullError('nothing is begun any more');
    if (running < figures.concurrency) {
      running += 1;
      return;
    }
    if (waiting.length >= longestQueue()) throw new QueueFullError('too much is waiting');
    // The slot is handed over by the one that ends, so that nobody can slip in between.
    await new Promise<void>((begin, refuse) => waiting.push({ begin, refuse }));
  }

  function releaseSlot(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next.begin();
  }

  return {
    async run(work) {
      await takeSlot();
      const begun = monotonicMs();
      try {
        return await work();
      } finally {
        const tookSeconds = (monotonicMs() - begun) / 1000;
        estimateSeconds += (tookSeconds - estimateSeconds) * newestWeight;
        releaseSlot();
      }
    },
    admit() {
      if (admitted >= figures.concurrency + longestQueue()) throw new QueueFullError('the house is full');
      admitted += 1;
      let isInside = true;
      return () => {
        if (isInside) admitted -= 1;
        isInside = false;
      };
    },
    refuseWaiting() {
      isOpen = false;
      for (const { refuse } of waiting.splice(0)) refuse(new QueueFullError('nothing is begun any more'));
    },
    running: () => running,
    waiting: () => waiting.length,
  };
}
