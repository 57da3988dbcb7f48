/** The real time with an offset. It must keep running, because the browser's own clock does. */
export interface MovableClock {
  now: () => Date;
  advanceSeconds: (seconds: number) => void;
  /** Returns to the real time. */
  reset: () => void;
}

export function createMovableClock(): MovableClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    advanceSeconds: (seconds) => {
      offsetMs += seconds * 1000;
    },
    reset: () => {
      offsetMs = 0;
    },
  };
}
