import { resendWaitSeconds } from '@anteroom/contract';
import { resendCode } from '../calls.ts';
import { returnUrl } from '../context.ts';
import { signInCall } from '../effects.ts';
import type { Failure } from '../events.ts';
import type { CodeMessage, FlowState, MessageFactor } from '../model.ts';
import { failWithoutForm, onAction, row, stay, submitting, withError } from '../transition.ts';
import { resendBlocked } from './ask-for-code.ts';
import { formFailed, restartAfter } from './form-failure.ts';
import { restartLogin } from './initialisation.ts';

const codeErrors = {
  invalid_credentials: 'InvalidMfaCode',
  site_requires_mfa: 'SiteRequiresMfa',
  mfa_invalid_phone_number: 'MfaInvalidPhoneNumber',
} as const;

/** Changes what is known about the message with a code. */
function withMessage(
  state: FlowState,
  factor: MessageFactor = 'sms',
  changes: Partial<CodeMessage> = {},
): FlowState {
  const { secondFactor } = state;
  const { messages } = secondFactor;
  const message = { ...messages[factor], ...changes };
  return { ...state, secondFactor: { ...secondFactor, messages: { ...messages, [factor]: message } } };
}

/** What a failed resend changes: the error, and the wait. */
function resendFailure(failure: Failure): Partial<CodeMessage> {
  const { code, serviceTimeMs, receivedAtMs } = failure;
  const isLimited = code === 'rate_limit_reached';
  const retryAfterSeconds = failure.retryAfterSeconds ?? (isLimited ? resendWaitSeconds : undefined);
  const blocked =
    retryAfterSeconds === undefined || serviceTimeMs === undefined || receivedAtMs === undefined
      ? {}
      : resendBlocked(retryAfterSeconds, { serviceTimeMs, receivedAtMs });
  return { ...blocked, resendError: isLimited ? 'RateLimitReached' : 'GenericError' };
}

/**
 * Whole seconds until the code can be resent, rounded up; 0: at once.
 * @param monotonicNowMs the browser's monotonic clock (`performance.now()`)
 */
export function resendRemainingSeconds(
  message: Pick<CodeMessage, 'mfaSmsResendTimeout' | 'serviceClockOffsetMs'>,
  monotonicNowMs: number,
): number {
  const serviceNowMs = monotonicNowMs + message.serviceClockOffsetMs;
  return Math.max(0, Math.ceil((message.mfaSmsResendTimeout - serviceNowMs) / 1000));
}

export const secondFactorRows = [
  row({
    on: 'CODE_ENTERED',
    from: ['second-factor-required'],
    to: ['same'],
    act: (state, { type: _type, ...entered }) =>
      state.loading
        ? stay(state)
        : stay(
            submitting(state),
            signInCall('verifyMfaCode', { body: { ...entered, returnUrl: returnUrl(state) } }),
          ),
  }),
  row({
    on: 'CODE_INCOMPLETE',
    from: ['second-factor-required'],
    to: ['same'],
    act: (state, { empty }) => stay(withError(state, empty ? 'CodeRequired' : 'InvalidMfaCode')),
  }),
  row({
    on: 'CODE_ERROR_CLEARED',
    from: ['second-factor-required'],
    to: ['same'],
    act: (state) => stay({ ...state, error: undefined }),
  }),
  row({
    on: 'AUTH_FAILED',
    from: ['second-factor-required'],
    to: ['same', 'error'],
    act: (state, { failure }) => formFailed(state, failure, codeErrors),
  }),
  row({
    on: 'RESEND_CODE',
    from: ['second-factor-required'],
    to: ['same'],
    act: (state, { isAutomatic, factor = 'sms' }) =>
      state.loading || state.secondFactor.messages[factor].resending
        ? stay(state)
        : stay(
            withMessage(isAutomatic ? state : { ...onAction(state), error: undefined }, factor, {
              resending: true,
              resendError: 'None',
            }),
            resendCode(state, factor),
          ),
  }),
  row({
    on: 'CODE_RESENT',
    from: ['second-factor-required'],
    to: ['same'],
    act: (state, { resent, factor = 'sms' }) =>
      stay(
        withMessage(state, factor, {
          ...(resent && resendBlocked(resent.retryAfterSeconds ?? resendWaitSeconds, resent)),
          codeSent: true,
          resending: false,
          codesResent: state.secondFactor.messages[factor].codesResent + 1,
        }),
      ),
  }),
  row({
    on: 'RESEND_FAILED',
    from: ['second-factor-required'],
    to: ['same', 'error'],
    act: (before, { failure, factor }) => {
      const state = withMessage(before, factor, { resending: false });
      if (failure.kind !== 'handled') return failWithoutForm(state, failure, restartLogin);
      return restartAfter(state, failure) ?? stay(withMessage(state, factor, resendFailure(failure)));
    },
  }),
  row({
    on: 'START_AGAIN',
    from: ['second-factor-required', 'choose-account'],
    to: ['same'],
    act: (state) => restartLogin({ ...onAction(state), enteredUserName: undefined }),
  }),
];
