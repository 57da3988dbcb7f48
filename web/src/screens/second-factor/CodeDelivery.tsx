import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { CodeMessage, MessageFactor } from '../../flow/model.ts';
import { resendRemainingSeconds } from '../../flow/steps/second-factor.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Alert } from '../../ui/alert/Alert.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { Description } from '../../ui/text/Heading.tsx';
import { Tooltip } from '../../ui/tooltip/Tooltip.tsx';
import { CodeValidity } from '../CodeValidity.tsx';
import { useFlow, useSend } from '../flow-context.tsx';
import { findTypedName } from '../use-left-step.ts';
import { useResendCountdown, useResendWait } from '../use-resend-countdown.ts';
import styles from './second-factor.module.css';

/** The texts about a message. `sent` and `due` name its destination, as the parameter `destination`. */
export const messageTexts = {
  sms: {
    destination: 'suffix',
    sent: 'secondFactor.sentTo',
    due: 'secondFactor.otherSignIn',
    sentSomewhere: 'secondFactor.sent',
    required: 'mfa.errors.codeRequired',
    check: 'mfa.errors.checkCode',
  },
  email: {
    destination: 'address',
    sent: 'authenticator.emailSentTo',
    due: 'authenticator.emailOtherSignIn',
    sentSomewhere: 'authenticator.emailSent',
    required: 'authenticator.errors.emailCodeRequired',
    check: 'authenticator.errors.checkEmail',
  },
} as const satisfies Record<
  MessageFactor,
  Record<'sent' | 'due' | 'sentSomewhere' | 'required' | 'check', MessageKey> & {
    destination: 'suffix' | 'address';
  }
>;

/** Whether a code was sent, where to, and how long it is valid. */
export function CodeDelivery({
  id,
  factor,
  hint,
  firstCode,
}: {
  id: string;
  factor: MessageFactor;
  /** The last digits of the number, or part of the e-mail address. */
  hint: string | undefined;
  firstCode: FirstCode;
}): ReactNode {
  const { t } = useLanguage();
  const minutes = useFlow((state) => state.secondFactor.codeValidityMinutes);
  const message = useFlow((state) => state.secondFactor.messages[factor]);
  const isWaiting = useResendCountdown(message) > 0;
  const isOverLimit = firstCode === 'limited' && isWaiting;
  const texts = messageTexts[factor];
  const known = firstCode === 'sent' || firstCode === 'due' ? texts[firstCode] : undefined;
  // The page shows the typed name anyway.
  const isTyped = useFlow((state) => isMaskOf(hint, findTypedName(state))) && firstCode === 'sent';
  const isDestinationShown = known !== undefined && hint !== undefined && !isTyped;
  const sent = isDestinationShown ? (
    <RichText
      message={known}
      parts={{
        // Numbers and addresses run from left to right in every language.
        [texts.destination]: (
          <bdi translate="no" className={styles.suffix} dir="ltr">
            {unbroken(hint)}
          </bdi>
        ),
      }}
    />
  ) : (
    t(
      firstCode === 'sent'
        ? texts.sentSomewhere
        : isOverLimit
          ? 'mfa.errors.resendLimit'
          : 'secondFactor.notSent',
    )
  );
  // The alert of the refused request says it.
  if (isOverLimit && message.resendError !== 'None') return null;
  return (
    <Description id={id}>
      <p>
        {sent}
        {firstCode === 'sent' && minutes !== undefined && <CodeValidity minutes={minutes} />}
        {isDestinationShown && texts.destination === 'suffix' && (
          <Tooltip action="phone-number-info" label={t('secondFactor.phoneNumberInfo')}>
            {t('secondFactor.phoneNumberInfoText')}
          </Tooltip>
        )}
      </p>
      {firstCode === 'sent' && factor === 'email' && <p>{t('authenticator.emailSpam')}</p>}
    </Description>
  );
}

/** Whether an address such as `d…a@northwind.example` can be that of the typed name. */
function isMaskOf(hint: string | undefined, typed: string | undefined): boolean {
  const [start = '', end] = (hint ?? '').toLowerCase().split('…');
  const name = typed?.toLowerCase() ?? '';
  return end !== undefined && name.startsWith(start) && name.endsWith(end);
}

/** Keeps a masked address in one line where it fits: without the word joiners, a line can break at the dots. */
export const unbroken = (hint: string): string => hint.replaceAll('…', '\u2060…\u2060');

/** The maximum wait for an automatic request of the first code (wire contract, "Optional members"). */
export const maximumWaitSeconds = 60;

/**
 * The state of the sign-in's first code. `due`: the resend limit delays it, because another sign-in sent a code shortly
 * before, and the page requests it when the wait is over; `missing`: the visitor must request it; `limited`: the same,
 * because the user has requested too many codes: the service says so, or the wait is too long for one code.
 */
export type FirstCode = 'sent' | 'due' | 'missing' | 'limited';

/**
 * Requests the first code once, as soon as the limit allows, if the service has not sent it with the password: it could
 * not, or it asked for another factor.
 */
export function useFirstCode(factor: MessageFactor): FirstCode {
  const send = useSend();
  const message = useFlow((state) => state.secondFactor.messages[factor]);
  const remainingSeconds = useResendCountdown(message);
  const [firstWaitSeconds] = useState(() => resendRemainingSeconds(message, performance.now()));
  const [isLimited, setLimited] = useState(firstWaitSeconds > maximumWaitSeconds);
  const { codeSent, resendError } = message;
  if (!isLimited && resendError === 'RateLimitReached') setLimited(true);
  // After a failure, the visitor must request the code.
  const isWaiting = !codeSent && firstWaitSeconds <= maximumWaitSeconds && resendError === 'None';
  const isDueNow = isWaiting && remainingSeconds === 0;
  useEffect(() => {
    // A hidden page does not request a code, because it could expire before the visitor returns.
    if (isDueNow && document.visibilityState === 'visible')
      send({ type: 'RESEND_CODE', isAutomatic: true, factor });
  }, [isDueNow, factor, send]);
  if (codeSent) return 'sent';
  if (isLimited) return 'limited';
  return isWaiting && firstWaitSeconds > 0 ? 'due' : 'missing';
}

const messages: Record<CodeMessage['resendError'], MessageKey | undefined> = {
  None: undefined,
  RateLimitReached: 'mfa.errors.resendLimit',
  GenericError: 'mfa.errors.resendFailed',
};

/** The resend button, or a countdown during the wait. */
export function ResendCode({
  factor,
  firstCode,
}: {
  factor: MessageFactor;
  firstCode: FirstCode;
}): ReactNode {
  const { t } = useLanguage();
  const send = useSend();
  const sent = useFlow((state) => state.secondFactor.messages[factor]);
  const wait = useResendWait(sent, firstCode === 'due');
  // The message of the boxes takes the place of the confirmation.
  const hasMessage = useFlow(({ error }) => error !== undefined);
  const { codesResent, resendError, resending } = sent;
  const message = messages[resendError];
  return (
    <div className={styles.resend}>
      <Alert message={message && t(message)} occurrence={0} />
      <div aria-live="polite">
        {codesResent > 0 && !resending && !hasMessage && <p>{t('secondFactor.resent')}</p>}
      </div>
      {/* The countdown is not announced, because a screen reader would speak continuously. */}
      {wait ? (
        <p className={styles.countdown}>{wait}</p>
      ) : (
        <ActionButton action="resend-code" onPress={() => send({ type: 'RESEND_CODE', factor })}>
          {t(firstCode === 'sent' ? 'secondFactor.resend' : 'secondFactor.send')}
        </ActionButton>
      )}
    </div>
  );
}
