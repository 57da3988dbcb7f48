import { hasTrunkPrefix, typedPhoneNumber } from '@anteroom/contract/typed-text';
import { resendWaitSeconds } from '@anteroom/contract';
import type { ErrorCode } from '@anteroom/contract';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Failure } from '../../flow/events.ts';
import type { MessageKey } from '../../i18n/keys.ts';
import { useLanguage } from '../../i18n/language.ts';
import { RichText } from '../../i18n/rich-text.tsx';
import { Alert } from '../../ui/alert/Alert.tsx';
import { Button, ButtonLink, SubmitButton } from '../../ui/button/Button.tsx';
import { TextField } from '../../ui/field/TextField.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { ActionButton } from '../../ui/link/ActionButton.tsx';
import { LiveRegion } from '../../ui/text/LiveRegion.tsx';
import { ButtonRow } from '../ButtonRow.tsx';
import { CodeValidity } from '../CodeValidity.tsx';
import { textOf } from '../form-data.ts';
import { useProblem } from '../use-problem.ts';
import { useResendWait } from '../use-resend-countdown.ts';
import { useAccount } from './account-context.ts';
import styles from './account.module.css';
import { CodeEntry } from './CodeEntry.tsx';

export interface PhoneNumberSetUpProps {
  onClose: () => void;
}

interface Sent {
  phoneNumber: string;
  suffix: string;
  codeValidityInMinutes: number;
  /** The number of codes sent to this phone number. */
  times: number;
}

/** An example number that is never assigned (Ofcom, numbers for drama), with non-breaking spaces. */
const example = {
  example: (
    <bdi translate="no" dir="ltr">
      {'+44 20 7946 0142'.replaceAll(' ', '\u00a0')}
    </bdi>
  ),
};

/** Failures that concern the sending of text messages, not a field. */
const messages: Partial<Record<ErrorCode, MessageKey>> = {
  rate_limit_reached: 'mfa.errors.resendLimit',
  mfa_resend_failed: 'mfa.errors.resendFailed',
  mfa_max_attempts_exceeded: 'mfa.errors.verificationLimitHit',
};

/** Sets a phone number: the user enters it, a code is sent to it, and the code is entered. */
export function PhoneNumberSetUp({ onClose }: PhoneNumberSetUpProps): ReactNode {
  const { t } = useLanguage();
  const { api, changes } = useAccount();
  const [sent, setSent] = useState<Sent>();
  /** Kept for a correction. */
  const [typed, setTyped] = useState<string>();
  const wrong = useProblem<MessageKey>();
  const problem = useProblem<MessageKey>();
  const [wait, setWait] = useState({ mfaSmsResendTimeout: 0, serviceClockOffsetMs: 0 });
  const waitText = useResendWait(wait);
  /** The wait after a request that came too early, in seconds. */
  const [tooEarly, setTooEarly] = useState<number>();
  const place = useRef<HTMLDivElement>(null);
  const wordsId = useId();
  const isSent = sent !== undefined;
  /** The service accepts no code and no number until the user has signed in again. */
  const isOver = problem.message === 'mfa.errors.verificationLimitHit';
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // Digits of a phone number run from left to right in every language.
    if (field.current) field.current.dir = 'ltr';
    place.current?.querySelector<HTMLElement>('input, a')?.focus();
  }, [isSent, isOver, wrong.occurrence]);

  const waitFor = (seconds: number, receivedAtMs = performance.now()): void =>
    setWait({ mfaSmsResendTimeout: receivedAtMs + seconds * 1000, serviceClockOffsetMs: 0 });
  /** Shows a failure from `messages`; returns false for any other failure. */
  const showFailure = ({ code, retryAfterSeconds, receivedAtMs }: Failure): boolean => {
    const message = code && messages[code];
    if (message === undefined) return false;
    if (retryAfterSeconds !== undefined) waitFor(retryAfterSeconds, receivedAtMs);
    // Only too early, for example after the code of the sign-in: the wait below says enough.
    if (code === 'rate_limit_reached' && (retryAfterSeconds ?? Infinity) <= resendWaitSeconds)
      setTooEarly(retryAfterSeconds);
    else problem.show(message);
    return true;
  };

  const send = async (phoneNumber: string): Promise<void> => {
    problem.clear();
    setTooEarly(undefined);
    const { refererClientId } = api;
    const result = await changes.make(
      'phone',
      () => api.call('sendPhoneNumberCode', { body: { phoneNumber, refererClientId } }),
      {
        failed: (failure) => {
          if (failure.code !== 'mfa_invalid_phone_number') return showFailure(failure);
          setSent(undefined);
          wrong.show('account.phone.invalid');
          return true;
        },
      },
    );
    if (!result) return;
    const { nextCodeInSeconds, ...answer } = result.answer;
    waitFor(nextCodeInSeconds);
    wrong.clear();
    setSent((before) => ({ ...answer, phoneNumber, times: (before?.times ?? 0) + 1 }));
  };

  const enter = async (
    phoneNumber: string,
    code: string,
    refuse: (...sentences: MessageKey[]) => void,
  ): Promise<void> => {
    problem.clear();
    const { refererClientId } = api;
    const result = await changes.make(
      'phone',
      () => api.call('setPhoneNumber', { body: { phoneNumber, code, refererClientId } }),
      {
        done: 'account.phone.done',
        failed: (failure) => {
          if (failure.code === 'invalid_credentials')
            refuse('mfa.errors.invalidCodeHeading', 'account.phone.checkCode');
          else if (failure.code === 'mfa_token_expired') refuse('mfa.errors.codeExpired');
          else if (failure.code === 'mfa_max_attempts_exceeded') return showFailure(failure);
          else return false;
          return true;
        },
      },
    );
    if (result) onClose();
  };

  const enterNumber = (entered: string): void => {
    setTyped(entered);
    const number = typedPhoneNumber(entered);
    if (hasTrunkPrefix(entered)) wrong.show('account.phone.nationalZero');
    else if (/^\d/.test(number)) wrong.show('account.phone.countryCode');
    else {
      wrong.clear();
      void send(number);
    }
  };

  const again = waitText && <p>{waitText}</p>;
  const announced = tooEarly === undefined ? undefined : t('secondFactor.resendIn', { count: tooEarly });
  return (
    <div ref={place}>
      <Alert message={problem.message && t(problem.message)} occurrence={problem.occurrence} />
      <LiveRegion message={announced} />
      {isOver ? (
        <ButtonLink action="prove-again" href={api.proofAddress('confirm')}>
          {t('account.signInAgain')}
        </ButtonLink>
      ) : sent ? (
        <>
          <p>
            <span id={wordsId}>
              <RichText
                message="secondFactor.sentTo"
                parts={{
                  suffix: (
                    <bdi translate="no" dir="ltr">
                      {sent.suffix}
                    </bdi>
                  ),
                }}
              />
              <CodeValidity minutes={sent.codeValidityInMinutes} />
            </span>{' '}
            <ActionButton action="change-phone-number" onPress={() => setSent(undefined)}>
              {t('account.change')}
            </ActionButton>
          </p>
          <CodeEntry
            describedBy={wordsId}
            required="mfa.errors.codeRequired"
            onEnter={(code, refuse) => void enter(sent.phoneNumber, code, refuse)}
            onCancel={onClose}
          >
            {again || (
              <ActionButton action="resend-code" onPress={() => void send(sent.phoneNumber)}>
                {t('secondFactor.resend')}
              </ActionButton>
            )}
          </CodeEntry>
          <LiveRegion message={sent.times > 1 && !changes.isSending ? t('secondFactor.resent') : undefined} />
        </>
      ) : (
        <Form onSubmit={(data) => enterNumber(textOf(data, 'phoneNumber'))}>
          <TextField
            label={t('account.phone.number')}
            name="phoneNumber"
            type="tel"
            autoComplete="tel"
            defaultValue={typed}
            describedBy={wordsId}
            error={wrong.message && t(wrong.message)}
            ref={field}
          />
          <p className={styles.hint} id={wordsId}>
            <RichText message="account.phone.numberHint" parts={example} />
          </p>
          {again}
          <ButtonRow>
            <SubmitButton isPending={changes.isSending}>{t('secondFactor.send')}</SubmitButton>
            <Button action="cancel" variant="secondary" onPress={onClose}>
              {t('common.cancel')}
            </Button>
          </ButtonRow>
        </Form>
      )}
    </div>
  );
}
