import { useCallback, useSyncExternalStore } from 'react';
import type { CodeMessage } from '../flow/model.ts';
import { resendRemainingSeconds } from '../flow/steps/second-factor.ts';

type ResendWait = Pick<CodeMessage, 'mfaSmsResendTimeout' | 'serviceClockOffsetMs'>;

/** Whole seconds until the code can be resent, rounded up; rerenders each second. */
export function useResendCountdown(secondFactor: ResendWait): number {
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

/** Milliseconds until the number of remaining seconds changes; undefined when none remain. */
export function untilNextSecondMs(secondFactor: ResendWait, monotonicNowMs: number): number | undefined {
  const remainingSeconds = resendRemainingSeconds(secondFactor, monotonicNowMs);
  if (remainingSeconds === 0) return undefined;
  const remainingMs = secondFactor.mfaSmsResendTimeout - secondFactor.serviceClockOffsetMs - monotonicNowMs;
  // Timers use whole milliseconds and can fire slightly early.
  return Math.ceil(remainingMs - (remainingSeconds - 1) * 1000);
}
