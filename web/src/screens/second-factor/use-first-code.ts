import { useEffect, useState } from 'react';
import { resendRemainingSeconds } from '../../flow/steps/second-factor.ts';
import { useFlow, useSend } from '../flow-context.tsx';
import { useResendCountdown } from './use-resend-countdown.ts';

/** The page waits so long at most to ask for a first code by itself (wire contract, "Optional members"). */
const maximumWaitSeconds = 60;

/**
 * What has become of the first code of the sign-in. `due`: a message of another sign-in left shortly before, and the page asks for this one's
 * when the wait is over; `missing`: none has left, and the visitor asks for one.
 */
export type FirstCode = 'sent' | 'due' | 'missing';

/** A first code that could not leave with the password is asked for by the page itself, once, when it may. */
export function useFirstCode(): FirstCode {
  const send = useSend();
  const secondFactor = useFlow((state) => state.secondFactor);
  const remainingSeconds = useResendCountdown(secondFactor);
  const [firstWaitSeconds] = useState(() => resendRemainingSeconds(secondFactor, performance.now()));
  const { codeSent, resendError } = secondFactor;
  // once the service has refused, the visitor asks
  const isWaiting = !codeSent && firstWaitSeconds <= maximumWaitSeconds && resendError === 'None';
  const isDueNow = isWaiting && remainingSeconds === 0;
  useEffect(() => {
    // somebody who is elsewhere would find a code that has run out: for them the action waits
    if (isDueNow && document.visibilityState === 'visible') send({ type: 'RESEND_CODE', isAutomatic: true });
  }, [isDueNow, send]);
  if (codeSent) return 'sent';
  return isWaiting && firstWaitSeconds > 0 ? 'due' : 'missing';
}
