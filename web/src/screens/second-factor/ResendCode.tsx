import type { ReactNode } from 'react';
import type { SecondFactor } from '../../flow/model.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Alert } from '../../ui/alert/Alert.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import styles from './second-factor.module.css';
import type { FirstCode } from './use-first-code.ts';
import { useResendCountdown } from '../use-resend-countdown.ts';

const messages: Record<SecondFactor['resendError'], MessageKey | undefined> = {
  None: undefined,
  RateLimitReached: 'mfa.errors.resendLimit',
  GenericError: 'mfa.errors.resendFailed',
};

/** The resend button; during the wait, a countdown. */
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
      {/* The countdown is not announced: a screen reader would speak continuously. */}
      <LiveRegion message={codesResent > 0 && !resending ? t('mfa.resent') : undefined} />
    </div>
  );
}
