/** Waits before each new try, in ms: a read is repeated up to 10 times, from 250 ms to 4 s (wire contract, "Decisions"). */
export const retryWaitsMs = [250, 500, 1000, 2000, 4000, 4000, 4000, 4000, 4000, 4000] as const;
/** No new try begins after this. Failures that come at once use up their tries before; requests that nobody answers do not. */
const patienceMs = 45_000;
/** After so many failed tries, or after this time, the visitor is told while the tries go on. */
const triesBeforeTelling = 3;
const msBeforeTelling = 10_000;

/**
 * Repeats what failed in a way that another try may mend, with growing waits. Only for reads: nothing that changes state is repeated.
 * @param onSlow called with each failed try once they have lasted: the visitor should learn of it
 */
export async function withRetries<TResult>(
  attempt: () => Promise<TResult>,
  mayMend: (result: TResult) => boolean,
  onSlow: (result: TResult) => void,
): Promise<TResult> {
  const begun = performance.now();
  let result = await attempt();
  for (const [index, waitMs] of retryWaitsMs.entries()) {
    const passedMs = performance.now() - begun;
    if (!mayMend(result) || passedMs > patienceMs) return result;
    if (index + 1 >= triesBeforeTelling || passedMs > msBeforeTelling) onSlow(result);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    result = await attempt();
  }
  return result;
}
