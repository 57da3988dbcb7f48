/** The real time, moved: a browser's own clock goes on beside it, so it must not stand still. */
export interface MovableClock {
  now: () => Date;
  advanceSeconds: (seconds: number) => void;
  /** Sets the real time, which other people's services have, until the returned function is called. */
  useRealTime: () => () => void;
}

export function createMovableClock(): MovableClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    advanceSeconds: (seconds) => {
      offsetMs += seconds * 1000;
    },
    useRealTime: () => {
      const before = offsetMs;
      offsetMs = 0;
      return () => {
        offsetMs = before;
      };
    },
  };
}
