import type { ErrorCode } from '@anteroom/contract';
import { boardsAddress, isUserLookupDue, signInPayload } from '../context.ts';
import type { Failure } from '../events.ts';
import type { FlowState, FormErrorKind, Step } from '../model.ts';
import {
  failWithoutForm,
  goTo,
  notify,
  row,
  showError,
  stay,
  submitting,
  leavingStep,
  withError,
} from '../transition.ts';
import type { Transition } from '../transition.ts';
import { restartLogin } from './initialisation.ts';

/** The error codes of a sign-in form (specification, point 8); any other is generic. */
const signInErrors: Partial<Record<ErrorCode, FormErrorKind>> = {
  invalid_credentials: 'InvalidCredentials',
  site_requires_mfa: 'SiteRequiresMfa',
  mfa_invalid_phone_number: 'MfaInvalidPhoneNumber',
  session_migration_failure: 'SessionMigrationFailure',
};

/**
 * Handles a failed sign-in on `credentials`, `elevate` and `password-required`. A generic failure has no message in the
 * form; its description becomes an error notification.
 */
function signInFailed(state: FlowState, failure: Failure): Transition {
  if (failure.kind !== 'handled') return failWithoutForm({ ...state, loading: false }, failure, restartLogin);
  const kind = failure.code && signInErrors[failure.code];
  if (kind === 'SessionMigrationFailure')
    return stay(
      withError(notify(state, { level: 'error', messageKey: 'error.unexpectedErrorOccurred' }), kind),
    );
  if (kind) return stay(withError(state, kind, failure));
  if (failure.code === 'mfa_max_attempts_exceeded')
    return restartAfter(state, 'mfa.errors.verificationLimitHit');
  return stay(withError(withGenericFailure(state, failure), 'GenericError', failure));
}

/**
 * Shows a generic failure as a notification: the service's text or, if the user must wait, the front end's own text.
 */
export function withGenericFailure(state: FlowState, failure: Failure): FlowState {
  const { description, code = '' } = failure;
  if (description !== undefined)
    return notify(state, {
      level: 'error',
      description: description.replaceAll('{{errorCode}}', () => code),
    });
  if (failure.code === 'rate_limit_reached' || failure.code === 'overloaded') {
    const minutes = Math.max(1, Math.ceil((failure.retryAfterSeconds ?? 60) / 60));
    return notify(state, {
      level: 'error',
      messageKey: failure.code === 'overloaded' ? 'error.busy' : 'error.tooManyAttempts',
      messageParameters: { count: minutes },
    });
  }
  return state;
}

/** Restarts the login with an error notification. */
export function restartAfter(state: FlowState, messageKey: string): Transition {
  return restartLogin(notify(state, { level: 'error', messageKey }));
}

const passwordSteps: readonly Step[] = ['credentials', 'elevate', 'password-required'];

export const credentialsRows = [
  row({
    on: 'USER_NAME_ENTERED',
    from: ['credentials'],
    to: ['same'],
    act: (state, { usernameOrEmail }) =>
      state.loading
        ? stay(state)
        : stay(submitting(state), {
            type: 'load-user-settings',
            usernameOrEmail: usernameOrEmail.trim(),
            site: state.site,
          }),
  }),
  row({
    on: 'USER_SETTINGS_FAILED',
    from: ['credentials'],
    to: ['same', 'error'],
    act: (state, { failure }) =>
      failure.kind === 'handled'
        ? stay(withError(withGenericFailure(state, failure), 'GenericError', failure))
        : failWithoutForm({ ...state, loading: false }, failure, restartLogin),
  }),
  row({
    on: 'SIGN_IN',
    from: passwordSteps,
    to: ['same'],
    act: (state, { userName, password }) => {
      if (state.loading || (state.page === 'credentials' && isUserLookupDue(state))) return stay(state);
      const body = signInPayload(state, { userName: userName?.trim(), password });
      return stay(
        { ...submitting(state), enteredUserName: userName?.trim() ?? state.enteredUserName },
        { type: 'authenticate', body },
      );
    },
  }),
  row({
    on: 'AUTH_FAILED',
    from: passwordSteps,
    to: ['same', 'error'],
    act: (state, { failure }) => signInFailed(state, failure),
  }),
  row({
    on: 'BACK',
    from: ['password-required'],
    to: [
      'site-entry',
      'credentials',
      'elevate',
      'select-site',
      'second-factor-required',
      'password-reset-required',
      'same',
    ],
    act: (state) => {
      const history = state.history.slice(0, -1);
      const previous = history.at(-1);
      if (previous === undefined) return stay(state);
      const back: FlowState = { ...leavingStep(state), history: history.slice(0, -1) };
      return previous === 'select-site' ? goTo(back, previous, { type: 'load-sites' }) : goTo(back, previous);
    },
  }),
  row({
    on: 'BACK_TO_BOARDS',
    from: ['elevate', 'select-site', 'site-entry', 'password-reset-voluntary'],
    to: ['same', 'error'],
    act: (state) => {
      const address = boardsAddress(state.context);
      if (address === undefined) return showError(state);
      return stay(
        { ...leavingStep(state), leavingTo: address },
        { type: 'stop-todos' },
        { type: 'leave', location: address },
      );
    },
  }),
];
