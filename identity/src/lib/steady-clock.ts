import type { Clock } from './clock.ts';

export type SteadyClock = Clock & {
  /** Adjusts to a reference clock. Returns by how many milliseconds that clock is ahead (negative: behind). */
  correct: (timeMs: number) => number;
};

/** The largest deviation that a correct reference clock can have. */
const largestStepBackMs = 5_000;

/**
 * A clock that never goes back. It advances with the monotonic clock, so that setting the machine's clock has no
 * effect. A reference clock can move it forward. If the reference is a few seconds behind, the clock pauses; if it is
 * further behind, it is ignored, so that no lifetime is extended (attacks and faults, F07).
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
