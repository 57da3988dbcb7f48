import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { SecondFactor } from '../../flow/model.ts';
import { resendRemainingSeconds } from '../../flow/steps/second-factor.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Alert } from '../../ui/alert/Alert.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { Description } from '../../ui/text/Heading.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { Tooltip } from '../../ui/tooltip/Tooltip.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { useResendCountdown } from '../use-resend-countdown.ts';
import styles from './second-factor.module.css';

/** Whether a code was sent, to which number (its last digits), and how long it is valid. */
export function CodeDelivery({
  id,
  firstCode,
  ...known
}: {
  id: string;
  firstCode: FirstCode;
  /** The last digits of the number, if the flow does not know them. */
  suffix?: string;
}): ReactNode {
  const { t } = useLanguage();
  const suffixOfFlow = useFlow((state) => state.secondFactor.phoneNumberSuffixMfa);
  const suffix = known.suffix ?? suffixOfFlow;
  const minutes = useFlow((state) => state.secondFactor.codeValidityMinutes);
  return (
    <Description id={id}>
      {firstCode === 'missing' || suffix === undefined ? (
        <p>{t(firstCode === 'sent' ? 'mfa.sent' : 'mfa.notSent')}</p>
      ) : (
        <div className={styles.delivery}>
          {/* Digits of a phone number run from left to right in every language. */}
          <RichText
            message={firstCode === 'sent' ? 'mfa.sentTo' : 'mfa.otherSignIn'}
            parts={{
              suffix: (
                <bdi className={styles.suffix} dir="ltr">
                  {suffix}
                </bdi>
              ),
            }}
          />
          <Tooltip action="phone-number-info" label={t('mfa.phoneNumberInfo')}>
            {t('mfa.phoneNumberInfoText')}
          </Tooltip>
        </div>
      )}
      {firstCode === 'sent' && minutes !== undefined && <p>{t('mfa.validity', { count: minutes })}</p>}
    </Description>
  );
}

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
    // A hidden page does not request a code, because it could expire before the visitor returns.
    if (isDueNow && document.visibilityState === 'visible') send({ type: 'RESEND_CODE', isAutomatic: true });
  }, [isDueNow, send]);
  if (codeSent) return 'sent';
  return isWaiting && firstWaitSeconds > 0 ? 'due' : 'missing';
}

const messages: Record<SecondFactor['resendError'], MessageKey | undefined> = {
  None: undefined,
  RateLimitReached: 'mfa.errors.resendLimit',
  GenericError: 'mfa.errors.resendFailed',
};

/** The resend button, or a countdown during the wait. */
export function ResendCode({ firstCode }: { firstCode: FirstCode }): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const secondFactor = useFlow((state) => state.secondFactor);
  const remainingSeconds = useResendCountdown(secondFactor);
  const { codesResent, resendError, resending } = secondFactor;
  const message = messages[resendError];
  return (
    <div>
      <Alert message={message && t(message)} occurrence={0} />
      {remainingSeconds > 0 ? (
        <p className={styles.countdown}>
          {t(firstCode === 'due' ? 'mfa.sendIn' : 'mfa.resendIn', { count: remainingSeconds })}
        </p>
      ) : (
        <ActionButton action="resend-code" onPress={() => send({ type: 'RESEND_CODE' })}>
          {t(firstCode === 'sent' ? 'mfa.resend' : 'mfa.send')}
        </ActionButton>
      )}
      {/* The countdown is not announced, because a screen reader would speak continuously. */}
      <LiveRegion message={codesResent > 0 && !resending ? t('mfa.resent') : undefined} />
    </div>
  );
}
