/** A read without an answer for this time counts as unreachable. */
export const readTimeoutMs = 15_000;

/**
 * Aborts a request after a time. Uses `setTimeout` instead of `AbortSignal.timeout`, because `setTimeout` pauses while
 * the browser has frozen the page.
 */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
