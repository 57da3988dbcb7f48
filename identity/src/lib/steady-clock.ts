import type { Clock } from './clock.ts';

export type SteadyClock = Clock & {
  /** Compares with a better clock; answers by how many milliseconds that one is ahead (negative: behind). */
  correct: (timeMs: number) => number;
};

/** What a clock that is right may lose by itself. */
const largestStepBackMs = 5_000;

/**
 * Time that never goes back: it counts on with the monotonic clock, so that setting the machine's clock changes nothing. A better
 * clock may put it forward; when that one has gone back it stands still for as long as a few seconds, and beyond that the better one is
 * no longer believed: nothing shall live longer than it was given (attacks and faults, F07).
 */
export function createSteadyClock(
  startMs: number,
  monotonicMs: () => number = () => performance.now(),
): SteadyClock {
  let base = startMs - monotonicMs();
  let shown = startMs;
  return {
    now() {
      shown = Math.max(shown, base + monotonicMs());
      return new Date(Math.floor(shown));
    },
    correct(timeMs) {
      const aheadMs = timeMs - (base + monotonicMs());
      if (aheadMs >= -largestStepBackMs) base += aheadMs;
      return aheadMs;
    },
  };
}
