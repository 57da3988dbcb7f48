import { timeoutSignal } from './timeout.ts';

/** Waits before each retry, in ms: up to 10 tries, from 250 ms to 4 s (wire contract, "Decisions"). */
export const retryWaitsMs = [250, 500, 1000, 2000, 4000, 4000, 4000, 4000, 4000, 4000] as const;
/**
 * All tries together end after this time. Calls that hang are therefore tried less often; quick failures reach the
 * number of tries earlier.
 */
const retryLimitMs = 45_000;
/** The visitor is notified after this many failed tries or this time, while the retries continue. */
const triesBeforeNotice = 3;
const msBeforeNotice = 10_000;

/**
 * Retries failures that can be temporary, with growing waits. Only for reads: state-changing calls are never retried.
 * @param attempt aborted by its signal when all tries must end
 * @param onSlow called with each failed try once the limits above are reached, to notify the visitor
 */
export async function withRetries<TResult>(
  attempt: (signal: AbortSignal) => Promise<TResult>,
  isRetryable: (result: TResult) => boolean,
  onSlow: (result: TResult) => void,
): Promise<TResult> {
  const startedMs = performance.now();
  const end = timeoutSignal(retryLimitMs);
  let result = await attempt(end);
  for (const [index, waitMs] of retryWaitsMs.entries()) {
    const passedMs = performance.now() - startedMs;
    if (!isRetryable(result) || passedMs + waitMs >= retryLimitMs) return result;
    if (index + 1 >= triesBeforeNotice || passedMs > msBeforeNotice) onSlow(result);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    result = await attempt(end);
  }
  return result;
}
