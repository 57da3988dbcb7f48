/** Work that runs in the background, in one run at a time. */
export type BackgroundRun = {
  /** Starts the work. During a run, requests one more round of it. */
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
