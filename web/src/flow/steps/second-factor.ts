import { resendWaitSeconds } from '@anteroom/contract';
import type { ErrorCode } from '@anteroom/contract';
import { returnUrl } from '../context.ts';
import type { AnswerTime, Failure } from '../events.ts';
import type { FlowState, FormErrorKind, SecondFactor } from '../model.ts';
import { failWithoutForm, onAction, row, stay, submitting, withError } from '../transition.ts';
import type { Transition } from '../transition.ts';
import { withGenericFailure, restartAfter } from './credentials.ts';
import { restartLogin } from './initialisation.ts';

const codeErrors: Partial<Record<ErrorCode, FormErrorKind>> = {
  invalid_credentials: 'InvalidMfaCode',
  site_requires_mfa: 'SiteRequiresMfa',
  mfa_invalid_phone_number: 'MfaInvalidPhoneNumber',
  session_migration_failure: 'SessionMigrationFailure',
};

/** The time when the next code can be sent, by the service's clock: the time of the answer plus the wait. */
export function resendBlocked(
  waitSeconds: number,
  { serviceTimeMs, receivedAtMs }: AnswerTime,
): Pick<SecondFactor, 'mfaSmsResendTimeout' | 'serviceClockOffsetMs'> {
  return {
    mfaSmsResendTimeout: serviceTimeMs + waitSeconds * 1000,
    serviceClockOffsetMs: serviceTimeMs - receivedAtMs,
  };
}

function resendFailed(state: FlowState, failure: Failure): FlowState {
  const { retryAfterSeconds, serviceTimeMs, receivedAtMs } = failure;
  const blocked =
    retryAfterSeconds === undefined || serviceTimeMs === undefined || receivedAtMs === undefined
      ? {}
      : resendBlocked(retryAfterSeconds, { serviceTimeMs, receivedAtMs });
  const resendError = failure.code === 'rate_limit_reached' ? 'RateLimitReached' : 'GenericError';
  return { ...state, secondFactor: { ...state.secondFactor, ...blocked, resendError } };
}

/**
 * Restarts the login if the failure of a verification or a resend means that no code of this sign-in is valid any more.
 */
function restartAfterCode(state: FlowState, { code }: Failure): Transition | undefined {
  if (code === 'mfa_token_expired') return restartAfter(state, 'mfa.errors.mfaTokenExpired');
  if (code === 'mfa_max_attempts_exceeded') return restartAfter(state, 'mfa.errors.verificationLimitHit');
  return undefined;
}

/**
 * Whole seconds until the code can be resent, rounded up; 0: at once.
 * @param monotonicNowMs the browser's monotonic clock (`performance.now()`)
 */
export function resendRemainingSeconds(
  secondFactor: Pick<SecondFactor, 'mfaSmsResendTimeout' | 'serviceClockOffsetMs'>,
  monotonicNowMs: number,
): number {
  const serviceNowMs = monotonicNowMs + secondFactor.serviceClockOffsetMs;
  return Math.max(0, Math.ceil((secondFactor.mfaSmsResendTimeout - serviceNowMs) / 1000));
}

export const secondFactorRows = [
  row({
    on: 'CODE_ENTERED',
    from: ['second-factor-required'],
    to: ['same'],
    act: (state, { type: _type, ...entered }) =>
      state.loading
        ? stay(state)
        : stay(submitting(state), {
            type: 'verify-mfa-code',
            body: { ...entered, returnUrl: returnUrl(state) },
          }),
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
    act: (state, { failure }) => {
      if (failure.kind !== 'handled')
        return failWithoutForm({ ...state, loading: false }, failure, restartLogin);
      const restart = restartAfterCode(state, failure);
      if (restart) return restart;
      const kind = failure.code && codeErrors[failure.code];
      if (kind) return stay(withError(state, kind, failure));
      return stay(withError(withGenericFailure(state, failure), 'GenericError', failure));
    },
  }),
  row({
    on: 'RESEND_CODE',
    from: ['second-factor-required'],
    to: ['same'],
    act: (state, { isAutomatic }) =>
      state.loading || state.secondFactor.resending
        ? stay(state)
        : stay(
            {
              ...(isAutomatic ? state : { ...onAction(state), error: undefined }),
              secondFactor: { ...state.secondFactor, resending: true, resendError: 'None' },
            },
            { type: 'resend-mfa-code' },
          ),
  }),
  row({
    on: 'CODE_RESENT',
    from: ['second-factor-required'],
    to: ['same'],
    act: (state, { resent }) =>
      stay({
        ...state,
        secondFactor: {
          ...state.secondFactor,
          ...resendBlocked(resent.retryAfterSeconds ?? resendWaitSeconds, resent),
          codeSent: true,
          resending: false,
          codesResent: state.secondFactor.codesResent + 1,
        },
      }),
  }),
  row({
    on: 'RESEND_FAILED',
    from: ['second-factor-required'],
    to: ['same', 'error'],
    act: (before, { failure }) => {
      const state = { ...before, secondFactor: { ...before.secondFactor, resending: false } };
      if (failure.kind !== 'handled') return failWithoutForm(state, failure, restartLogin);
      return restartAfterCode(state, failure) ?? stay(resendFailed(state, failure));
    },
  }),
  row({
    on: 'START_AGAIN',
    from: ['second-factor-required'],
    to: ['same'],
    act: (state) => restartLogin({ ...onAction(state), enteredUserName: undefined }),
  }),
];
