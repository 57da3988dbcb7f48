import type { AuthContext, AuthResponse } from '@anteroom/contract';
import type { AnswerTime } from '../events.ts';
import { noMessage } from '../model.ts';
import type { CodeMessage, FlowState, MessageFactor } from '../model.ts';
import { goTo } from '../transition.ts';
import type { Transition } from '../transition.ts';

/** What the service says about the code that it awaits, in the answer to a password or in the context after a reload. */
type Awaited = AuthResponse | AuthContext;

/** Enters the code step. */
export function askForCode(state: FlowState, answer: Awaited, time: AnswerTime | undefined): Transition {
  return goTo(
    { ...state, leftStep: null, secondFactor: secondFactorOf(state, answer, time) },
    'second-factor-required',
  );
}

function secondFactorOf(
  { context }: FlowState,
  answer: Awaited,
  time: AnswerTime | undefined,
): FlowState['secondFactor'] {
  const suffix = answer.mfaPhoneNumberSuffix ?? context?.mfaPhoneNumberSuffix;
  const { secondFactors: listed } = answer;
  const asked = listed ? listed[0]?.name : isAppAsked(context, suffix) ? 'totp' : 'sms';
  // The answer describes the message of the factor that is asked for first; no other message has been sent.
  const messageOf = (factor: MessageFactor): CodeMessage =>
    asked === factor
      ? {
          ...noMessage,
          codeSent: answer.codeSent ?? true,
          ...(time && answer.nextCodeInSeconds && resendBlocked(answer.nextCodeInSeconds, time)),
        }
      : noMessage;
  return {
    adaptiveMfa: answer.mfaAdaptivePolicyEnabled ?? context?.mfaAdaptivePolicyEnabled ?? false,
    phoneNumberSuffixMfa: suffix,
    codeValidityMinutes: answer.mfaCodeValidityInMinutes ?? context?.mfaCodeValidityInMinutes,
    listed,
    messages: { sms: messageOf('sms'), email: messageOf('email') },
  };
}

/** The time when the next code can be sent, by the service's clock: the time of the answer plus the wait. */
export function resendBlocked(
  waitSeconds: number,
  { serviceTimeMs, receivedAtMs }: AnswerTime,
): Pick<CodeMessage, 'mfaSmsResendTimeout' | 'serviceClockOffsetMs'> {
  return {
    mfaSmsResendTimeout: serviceTimeMs + waitSeconds * 1000,
    serviceClockOffsetMs: serviceTimeMs - receivedAtMs,
  };
}

/**
 * Whether the code of an authenticator app is asked for, by a service that does not list the factors: no text message
 * was sent, and the service supports apps.
 */
export function isAppAsked(context: FlowState['context'], suffix: string | undefined): boolean {
  return suffix === undefined && context?.extensions?.includes('totp') === true;
}
