import type { Timer } from '../flow/effects.ts';

export interface Timers {
  /** Starts a timer; one of the same name that is running is replaced. */
  start: (timer: Timer, ms: number, onFired: () => void) => void;
  stop: (timer: Timer) => void;
}

/** The flow's timers, one of a name at a time. */
export function createTimers(): Timers {
  const running = new Map<Timer, ReturnType<typeof setTimeout>>();

  function stop(timer: Timer): void {
    clearTimeout(running.get(timer));
    running.delete(timer);
  }

  return {
    stop,
    start(timer, ms, onFired) {
      stop(timer);
      running.set(
        timer,
        setTimeout(() => {
          running.delete(timer);
          onFired();
        }, ms),
      );
    },
  };
}
