import type { ErrorCode } from '@anteroom/contract';
import { knownUserName, signInPayload } from '../context.ts';
import type { FlowState, FormErrorKind } from '../model.ts';
import { failWithoutForm, goTo, leavingStep, row, stay, submitting, withError } from '../transition.ts';
import type { Transition } from '../transition.ts';
import { withGenericFailure } from './credentials.ts';
import { restartLogin } from './initialisation.ts';

const resetErrors: Partial<Record<ErrorCode, FormErrorKind>> = {
  invalid_credentials: 'InvalidCredentials',
  invalid_new_password: 'InvalidNewPassword',
  passwords_do_not_match: 'PasswordsDoNotMatch',
  site_requires_mfa: 'SiteRequiresMfa',
  mfa_invalid_phone_number: 'MfaInvalidPhoneNumber',
};

/**
 * Cancels the change: returns to the cancel address if the application requested the change, else to the credentials.
 */
function cancel(state: FlowState): Transition {
  const { context } = state;
  const address = context?.promptMethod === 'change_password' ? context.cancelRedirectUri : undefined;
  if (address !== undefined)
    return stay({ ...leavingStep(state), leavingTo: address }, { type: 'leave', location: address });
  return goTo({ ...leavingStep(state), resetRequired: false, passwordPolicy: undefined }, 'credentials');
}

export const passwordChangeRows = [
  row({
    on: 'RESET_PASSWORD',
    from: ['password-reset-required', 'password-reset-voluntary'],
    to: ['same'],
    act: (state, { currentPassword, newPassword, newPasswordConfirmation }) => {
      if (state.loading) return stay(state);
      const { password: _, ...who } = signInPayload(state, { userName: knownUserName(state), password: '' });
      return stay(submitting(state), {
        type: 'reset-password',
        body: { ...who, currentPassword, newPassword, newPasswordConfirmation },
      });
    },
  }),
  row({
    on: 'AUTH_FAILED',
    from: ['password-reset-required', 'password-reset-voluntary'],
    to: ['same', 'error'],
    act: (state, { failure }) => {
      if (failure.kind !== 'handled')
        return failWithoutForm({ ...state, loading: false }, failure, restartLogin);
      const kind = failure.code && resetErrors[failure.code];
      if (kind) return stay(withError(state, kind, failure));
      return stay(withError(withGenericFailure(state, failure), 'GenericError', failure));
    },
  }),
  row({
    on: 'POLICY_LOADED',
    from: 'any',
    to: ['same', 'password-reset-required', 'password-reset-voluntary'],
    act: (state, { policy, page }) => {
      const ruled: FlowState = { ...state, passwordPolicy: policy ?? state.passwordPolicy };
      return page === undefined ? stay(ruled) : goTo(ruled, page);
    },
  }),
  row({
    on: 'CANCEL_PASSWORD_CHANGE',
    from: ['password-reset-required', 'password-reset-voluntary'],
    to: ['same', 'credentials'],
    act: cancel,
  }),
  row({ on: 'BACK', from: ['password-reset-voluntary'], to: ['same', 'credentials'], act: cancel }),
];
