/** The wait of an account after failures: none at first, then doubling up to a maximum. */
export type WaitOptions = {
  accountFreeFailures: number;
  accountFirstWaitSeconds: number;
  accountLongestWaitSeconds: number;
  accountConsecutiveFailures: number;
};

/** The wait in seconds after the given number of consecutive failures. */
export function waitSecondsAfter(failures: number, options: WaitOptions): number {
  if (failures < options.accountFreeFailures) return 0;
  const doubled = options.accountFirstWaitSeconds * 2 ** (failures - options.accountFreeFailures);
  return Math.min(doubled, options.accountLongestWaitSeconds);
}

/** The maximum number of attempts in any window, for a client that retries as soon as each wait ends. */
export function largestCountInWindow(options: WaitOptions, windowSeconds: number): number {
  const moments: number[] = [];
  let now = 0;
  for (let failures = 1; failures <= options.accountConsecutiveFailures; failures += 1) {
    moments.push(now);
    now += waitSecondsAfter(failures, options);
  }
  const counts = moments.map(
    (from) => moments.filter((moment) => moment >= from && moment < from + windowSeconds).length,
  );
  return Math.max(...counts);
}
