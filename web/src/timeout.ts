/** After this a request that reads counts as unanswered: no endless spinner. */
export const readTimeoutMs = 15_000;

/**
 * Aborts a request after a time. It is a timer of the page and not `AbortSignal.timeout`, so that it stands still while the browser
 * has frozen the page.
 */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
