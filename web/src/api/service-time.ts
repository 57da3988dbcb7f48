/** The time of the service minus the browser's monotonic clock, in ms; undefined until the service has answered. */
let offsetMs: number | undefined;

/** Notes the `Date` of an answer. */
export function noteServiceTime(serviceTimeMs: number, receivedAtMs: number): void {
  offsetMs = serviceTimeMs - receivedAtMs;
}

/**
 * The service's time in UTC, for support and metrics: the clock of a visitor can be years off. Before the first answer,
 * the visitor's clock is all there is.
 */
export function serviceTime(): string {
  return new Date(offsetMs === undefined ? Date.now() : performance.now() + offsetMs).toISOString();
}
