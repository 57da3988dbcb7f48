import type { Clock } from '../src/lib/clock.ts';

export type MovableClock = Clock & { advanceSeconds: (seconds: number) => void };

/** A clock that only advances when a test moves it. */
export function movableClock(start = new Date('2026-01-15T09:00:00.000Z')): MovableClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advanceSeconds: (seconds) => {
      now += seconds * 1000;
    },
  };
}
