import type { ErrorCode } from '@anteroom/contract';
import type { Failure } from '../events.ts';
import type { FlowState, FormErrorKind } from '../model.ts';
import { failWithoutForm, notify, stay, withError } from '../transition.ts';
import type { Transition } from '../transition.ts';
import { restartLogin } from './initialisation.ts';

/** The failures after which no code of this sign-in is valid any more. */
const restartMessages: Partial<Record<ErrorCode, string>> = {
  mfa_token_expired: 'mfa.errors.mfaTokenExpired',
  mfa_max_attempts_exceeded: 'mfa.errors.verificationLimitHit',
};

/**
 * The failure of a form or a selection. No action of a visitor ends without a visible answer: another page, a message
 * in the form, or a notification.
 *
 * @param shown the codes for which the form has a message (specification, point 8)
 */
export function formFailed(
  state: FlowState,
  failure: Failure,
  shown: Partial<Record<ErrorCode, FormErrorKind>>,
): Transition {
  const { kind, code } = failure;
  if (kind !== 'handled') return failWithoutForm({ ...state, loading: false }, failure, restartLogin);
  const restart = restartAfter(state, failure);
  if (restart) return restart;
  const error = code && shown[code];
  if (error) return stay(withError(state, error, failure));
  // Its text is that of the specification, also if the service sends another one.
  const isMigration = code === 'session_migration_failure';
  const notified = notify(state, describeGeneric(isMigration ? { kind, code } : failure));
  return stay(withError(notified, isMigration ? 'SessionMigrationFailure' : 'GenericError', failure));
}

/** Restarts the login with a notification if the failure ends the sign-in. */
export function restartAfter(state: FlowState, { code }: Failure): Transition | undefined {
  const messageKey = code && restartMessages[code];
  return messageKey ? restartLogin(notify(state, { level: 'error', messageKey })) : undefined;
}

/**
 * The notification of a generic failure: the service's text, else how long to wait, else that something went wrong
 * (wire contract, "A generic failure of any form or selection").
 */
function describeGeneric({
  status,
  code,
  description,
  retryAfterSeconds,
}: Failure): Parameters<typeof notify>[1] {
  const level = 'error';
  if (description) return { level, description: description.replaceAll('{{errorCode}}', () => code ?? '') };
  if (retryAfterSeconds === undefined) return { level, messageKey: 'error.unexpectedErrorOccurred' };
  return {
    level,
    messageKey: status === 429 ? 'error.tooManyAttempts' : 'error.busy',
    messageParameters: { count: Math.max(1, Math.ceil(retryAfterSeconds / 60)) },
  };
}
