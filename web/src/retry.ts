/** Waits before each new try, in ms: a read is repeated up to 10 times, from 250 ms to 4 s (wire contract, "Decisions"). */
export const retryWaitsMs = [250, 500, 1000, 2000, 4000, 4000, 4000, 4000, 4000, 4000] as const;

/**
 * Repeats what failed in a way that another try may mend, with growing waits. Only for reads: nothing that changes state is repeated.
 * @param onWaiting told the number of tries that have failed so far, before each wait
 */
export async function withRetries<TResult>(
  attempt: () => Promise<TResult>,
  mayMend: (result: TResult) => boolean,
  onWaiting: (failedTries: number) => void = () => {},
): Promise<TResult> {
  let result = await attempt();
  for (const [index, waitMs] of retryWaitsMs.entries()) {
    if (!mayMend(result)) return result;
    onWaiting(index + 1);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    result = await attempt();
  }
  return result;
}
