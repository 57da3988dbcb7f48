import { signOut } from '../calls.ts';
import { loggedOutRedirectDelayMs } from '../constants.ts';
import { withoutUser } from '../context.ts';
import { noProgress } from '../model.ts';
import type { Entry, FlowState } from '../model.ts';
import { goTo, onAction, row, stay, submitting } from '../transition.ts';
import type { Transition } from '../transition.ts';
import { formFailed } from './form-failure.ts';
import { callFailed, restartLogin } from './initialisation.ts';

/** Shows the logged-out page after a sign-out. The page then navigates to the address in the logout context. */
function goToLoggedOut(state: FlowState): Transition {
  const leavingTo = state.logout?.postLogoutRedirectUri;
  const ms = state.skipLogoutDelay ? 0 : loggedOutRedirectDelayMs;
  const entry: Entry = state.entry.kind === 'logout' ? state.entry : { kind: 'logout' };
  return goTo(
    {
      ...state,
      ...noProgress,
      entry,
      leavingTo,
      context: withoutUser(state.context),
      enteredUserName: undefined,
      todos: {},
    },
    'logged-out',
    { type: 'show-address', address: 'account/logged-out' },
    ...(leavingTo === undefined ? [] : [{ type: 'start-timer', timer: 'logged-out-redirect', ms } as const]),
  );
}

export const logoutRows = [
  row({
    on: 'LOGOUT_CONTEXT_LOADED',
    from: ['start', 'logout', 'logged-out', 'select-site', 'error'],
    to: ['same', 'logout'],
    act: (state, { context }) => {
      const known: FlowState = { ...state, logout: context };
      // A sign-out by button needs no confirmation.
      const isPressed = state.page === 'select-site' || state.page === 'error';
      if (context?.requiresConfirmation && !isPressed)
        return goTo(known, 'logout', { type: 'show-address', address: 'account/logout' });
      // Without a confirmation, the splash stays until the sign-out is done.
      return stay({ ...known, loading: true }, signOut());
    },
  }),
  row({
    on: 'CONFIRM_LOGOUT',
    from: ['logout'],
    to: ['same'],
    act: (state) => (state.loading ? stay(state) : stay(submitting(state), signOut())),
  }),
  row({
    on: 'CANCEL_LOGOUT',
    from: ['logout'],
    to: ['same'],
    act: (state) => {
      const address = state.logout?.postLogoutRedirectUri;
      if (state.loading) return stay(state);
      if (address === undefined) return restartLogin(onAction(state));
      return stay({ ...onAction(state), leavingTo: address }, { type: 'leave', location: address });
    },
  }),
  row({
    on: 'SIGNED_OUT',
    from: ['start', 'logout', 'logged-out', 'select-site', 'error'],
    to: ['logged-out'],
    act: goToLoggedOut,
  }),
  row({
    on: 'AUTH_FAILED',
    from: ['start', 'logout', 'logged-out', 'error'],
    to: ['same', 'error'],
    // Without a confirmation there is no form: the splash covers the page.
    act: (state, { failure }) =>
      state.initialisation === 'INITIALIZED' ? formFailed(state, failure, {}) : callFailed(state, failure),
  }),
];
