import type { Timer } from '../flow/effects.ts';

export interface Timers {
  /** Starts a timer; one of the same name that is running is replaced. */
  start: (timer: Timer, ms: number, onFired: () => void) => void;
  stop: (timer: Timer) => void;
}

/** What somebody points at, or has come to with the keyboard, is not taken away from them: it gets its time once more (WCAG 2.2.1). */
const isHeld = (timer: Timer): boolean =>
  timer.startsWith('notification-') &&
  document.querySelector('[data-notification]:is(:hover, :focus-within)') !== null;

/** The flow's timers, one of a name at a time. */
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
        if (isHeld(timer)) return start(timer, ms, onFired);
        running.delete(timer);
        onFired();
      }, ms),
    );
  }

  return { start, stop };
}
