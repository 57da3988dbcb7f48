/** The real time, moved: a browser's own clock goes on beside it, so it must not stand still. */
export interface MovableClock {
  now: () => Date;
  advanceSeconds: (seconds: number) => void;
}

export function createMovableClock(): MovableClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    advanceSeconds: (seconds) => {
      offsetMs += seconds * 1000;
    },
  };
}
