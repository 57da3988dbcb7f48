import { knownUserName, signInPayload } from '../context.ts';
import { signInCall } from '../effects.ts';
import type { FlowState } from '../model.ts';
import { goTo, leavingStep, row, stay, submitting } from '../transition.ts';
import type { Transition } from '../transition.ts';
import { formFailed } from './form-failure.ts';

const resetErrors = {
  invalid_credentials: 'InvalidCredentials',
  invalid_new_password: 'InvalidNewPassword',
  passwords_do_not_match: 'PasswordsDoNotMatch',
  site_requires_mfa: 'SiteRequiresMfa',
  mfa_invalid_phone_number: 'MfaInvalidPhoneNumber',
} as const;

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
      const body = { ...who, currentPassword, newPassword, newPasswordConfirmation };
      return stay(submitting(state), signInCall('passwordReset', { body }));
    },
  }),
  row({
    on: 'AUTH_FAILED',
    from: ['password-reset-required', 'password-reset-voluntary'],
    to: ['same', 'error'],
    act: (state, { failure }) => formFailed(state, failure, resetErrors),
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
