/** How long an account has to wait after failures: none at first, then doubling up to a longest one. */
export type WaitFigures = {
  accountFreeFailures: number;
  accountFirstWaitSeconds: number;
  accountLongestWaitSeconds: number;
  accountConsecutiveFailures: number;
};

/** Seconds to wait after the `failures`-th failure in a row. */
export function waitSecondsAfter(failures: number, figures: WaitFigures): number {
  if (failures < figures.accountFreeFailures) return 0;
  const doubled = figures.accountFirstWaitSeconds * 2 ** (failures - figures.accountFreeFailures);
  return Math.min(doubled, figures.accountLongestWaitSeconds);
}

/** The most attempts that fit into any `windowSeconds`, for somebody who tries again the moment each wait is over. */
export function largestCountInWindow(figures: WaitFigures, windowSeconds: number): number {
  const moments: number[] = [];
  let now = 0;
  for (let failures = 1; failures <= figures.accountConsecutiveFailures; failures += 1) {
    moments.push(now);
    now += waitSecondsAfter(failures, figures);
  }
  const counts = moments.map(
    (from) => moments.filter((moment) => moment >= from && moment < from + windowSeconds).length,
  );
  return Math.max(...counts);
}
