import { useCallback, useSyncExternalStore } from 'react';
import type { CodeMessage } from '../flow/model.ts';
import { resendRemainingSeconds } from '../flow/steps/second-factor.ts';
import { formatMoment } from '../i18n/format-moment.ts';
import { useLanguage } from '../i18n/language.ts';

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

/** A longer wait is shown as the time when it ends. */
const longestCountdownSeconds = 600;

/** How long the visitor must wait for a code; undefined when the wait is over. */
export function useResendWait(message: ResendWait, isAutomatic = false): string | undefined {
  const { t, locale } = useLanguage();
  const remainingSeconds = useResendCountdown(message);
  if (remainingSeconds === 0) return undefined;
  if (remainingSeconds > longestCountdownSeconds) {
    const end = performance.timeOrigin + message.mfaSmsResendTimeout - message.serviceClockOffsetMs;
    const time = formatMoment(Math.ceil(end / 60_000) * 60_000, locale, 'short');
    return t('secondFactor.resendAt', { time });
  }
  return t(isAutomatic ? 'secondFactor.sendIn' : 'secondFactor.resendIn', { count: remainingSeconds });
}

/** Milliseconds until the number of remaining seconds changes; undefined when none remain. */
export function untilNextSecondMs(secondFactor: ResendWait, monotonicNowMs: number): number | undefined {
  const remainingSeconds = resendRemainingSeconds(secondFactor, monotonicNowMs);
  if (remainingSeconds === 0) return undefined;
  const remainingMs = secondFactor.mfaSmsResendTimeout - secondFactor.serviceClockOffsetMs - monotonicNowMs;
  // Timers use whole milliseconds and can fire slightly early.
  return Math.ceil(remainingMs - (remainingSeconds - 1) * 1000);
}
