/** The real time with an offset. It must keep running, because the browser's own clock does. */
export interface MovableClock {
  now: () => Date;
  advanceSeconds: (seconds: number) => void;
  /** Uses the real time, like third-party services, until the returned function is called. */
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
