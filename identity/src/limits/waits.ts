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
