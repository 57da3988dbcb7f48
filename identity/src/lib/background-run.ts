/** Background work of which only one run takes place at a time. */
export type BackgroundRun = {
  /** Starts a run. During a run, requests one more round of the work. */
  start: (this: void) => void;
  /** Resolves when nothing is running. */
  settle: (this: void) => Promise<void>;
};

/** @param work one round; returns true if there may be more to do */
export function createBackgroundRun(
  work: () => Promise<boolean>,
  onError: (error: unknown) => void,
): BackgroundRun {
  let running: Promise<void> | undefined;
  let isRequestedAgain = false;

  async function run(): Promise<void> {
    do isRequestedAgain = false;
    while ((await work()) || isRequestedAgain);
  }

  return {
    start() {
      isRequestedAgain = true;
      running ??= run()
        .catch(onError)
        .finally(() => (running = undefined));
    },
    async settle() {
      while (running !== undefined) await running;
    },
  };
}
