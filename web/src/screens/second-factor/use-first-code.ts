import { useEffect, useState } from 'react';
import { resendRemainingSeconds } from '../../flow/steps/second-factor.ts';
import { useFlow, useSend } from '../flow-context.tsx';
import { useResendCountdown } from '../use-resend-countdown.ts';

/** The maximum wait for an automatic request of the first code (wire contract, "Optional members"). */
const maximumWaitSeconds = 60;

/**
 * The state of the sign-in's first code. `due`: the resend limit delays it, because another sign-in sent a code shortly
 * before, and the page requests it when the wait is over; `missing`: the visitor must request it.
 */
export type FirstCode = 'sent' | 'due' | 'missing';

/** Requests the first code once, as soon as the limit allows, if the service could not send it with the password. */
export function useFirstCode(): FirstCode {
  const send = useSend();
  const secondFactor = useFlow((state) => state.secondFactor);
  const remainingSeconds = useResendCountdown(secondFactor);
  const [firstWaitSeconds] = useState(() => resendRemainingSeconds(secondFactor, performance.now()));
  const { codeSent, resendError } = secondFactor;
  // After a failure, the visitor must request the code.
  const isWaiting = !codeSent && firstWaitSeconds <= maximumWaitSeconds && resendError === 'None';
  const isDueNow = isWaiting && remainingSeconds === 0;
  useEffect(() => {
    // On a hidden page the code could expire before the visitor returns: the request waits.
    if (isDueNow && document.visibilityState === 'visible') send({ type: 'RESEND_CODE', isAutomatic: true });
  }, [isDueNow, send]);
  if (codeSent) return 'sent';
  return isWaiting && firstWaitSeconds > 0 ? 'due' : 'missing';
}
