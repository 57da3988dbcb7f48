import { loadSites, loadUserSettings } from '../calls.ts';
import { boardsAddress, isUserLookupDue, signInPayload } from '../context.ts';
import { signInCall } from '../effects.ts';
import type { FlowState, Step } from '../model.ts';
import { goTo, leavingStep, row, showError, stay, submitting } from '../transition.ts';
import { formFailed } from './form-failure.ts';

/** The error codes for which a sign-in form has a message (specification, point 8). */
const signInErrors = {
  invalid_credentials: 'InvalidCredentials',
  site_requires_mfa: 'SiteRequiresMfa',
  mfa_invalid_phone_number: 'MfaInvalidPhoneNumber',
} as const;

const passwordSteps: readonly Step[] = ['credentials', 'elevate', 'password-required'];

export const credentialsRows = [
  row({
    on: 'USER_NAME_ENTERED',
    from: ['credentials'],
    to: ['same'],
    act: (state, { usernameOrEmail }) =>
      state.loading ? stay(state) : stay(submitting(state), loadUserSettings(state, usernameOrEmail)),
  }),
  row({
    on: 'USER_SETTINGS_FAILED',
    from: ['credentials'],
    to: ['same', 'error'],
    act: (state, { failure }) => formFailed(state, failure, {}),
  }),
  row({
    on: 'SIGN_IN',
    from: passwordSteps,
    to: ['same'],
    act: (state, { userName, password }) => {
      if (state.loading || (state.page === 'credentials' && isUserLookupDue(state))) return stay(state);
      const body = signInPayload(state, { userName, password });
      return stay(
        { ...submitting(state), enteredUserName: userName ?? state.enteredUserName },
        signInCall('authenticate', { body }),
      );
    },
  }),
  row({
    on: 'AUTH_FAILED',
    from: passwordSteps,
    to: ['same', 'error'],
    act: (state, { failure }) => formFailed(state, failure, signInErrors),
  }),
  row({
    on: 'BACK',
    from: ['password-required'],
    to: [
      'choose-account',
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
      return previous === 'select-site' ? goTo(back, previous, loadSites(back)) : goTo(back, previous);
    },
  }),
  row({
    on: 'BACK_TO_BOARDS',
    from: ['elevate', 'second-factor-required', 'select-site', 'site-entry', 'password-reset-voluntary'],
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
