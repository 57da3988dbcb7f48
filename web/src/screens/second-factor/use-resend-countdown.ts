import { useCallback, useSyncExternalStore } from 'react';
import type { SecondFactor } from '../../flow/model.ts';
import { resendRemainingSeconds } from '../../flow/steps/second-factor.ts';

/** Seconds until the code may be sent again, whole and rounded up; draws again as each of them passes. */
export function useResendCountdown(secondFactor: SecondFactor): number {
  const subscribe = useCallback(
    (onTick: () => void) => {
      let timer: ReturnType<typeof setTimeout>;
      const scheduleTick = (): void => {
        const nextTickMs = untilNextSecondMs(secondFactor, performance.now());
        if (nextTickMs === undefined) return;
        timer = setTimeout(() => {
          onTick();
          scheduleTick();
        }, nextTickMs);
      };
      scheduleTick();
      return () => clearTimeout(timer);
    },
    [secondFactor],
  );
  return useSyncExternalStore(subscribe, () => resendRemainingSeconds(secondFactor, performance.now()));
}

/** Until the number of remaining seconds changes, in ms; undefined when none remain. */
export function untilNextSecondMs(secondFactor: SecondFactor, monotonicNowMs: number): number | undefined {
  const remainingSeconds = resendRemainingSeconds(secondFactor, monotonicNowMs);
  if (remainingSeconds === 0) return undefined;
  const remainingMs = secondFactor.mfaSmsResendTimeout - secondFactor.serviceClockOffsetMs - monotonicNowMs;
  // timers count whole milliseconds and may fire a fraction early
  return Math.ceil(remainingMs - (remainingSeconds - 1) * 1000);
}
