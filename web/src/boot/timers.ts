import type { Timer } from '../flow/model.ts';

export interface Timers {
  /** Starts a timer; replaces a running one with the same name. */
  start: (timer: Timer, ms: number, onFired: () => void) => void;
  stop: (timer: Timer) => void;
}

/**
 * True if the pointer is over a notification or the focus is in it. The notification then stays and its timer restarts
 * (WCAG 2.2.1).
 */
const isInUse = (timer: Timer): boolean =>
  timer.startsWith('notification-') &&
  document.querySelector('[data-notification]:is(:hover, :focus-within)') !== null;

/** Named timers of the flow. */
export function createTimers(): Timers {
  const running = new Map<Timer, ReturnType<typeof setTimeout>>();

  function stop(timer: Timer): void {
    clearTimeout(running.get(timer));
    running.delete(timer);
  }

  function start(timer: Timer, ms: number, onFired: () => void): void {
    stop(timer);
    running.set(
      timer,
      setTimeout(() => {
        if (isInUse(timer)) return start(timer, ms, onFired);
        running.delete(timer);
        onFired();
      }, ms),
    );
  }

  return { start, stop };
}
