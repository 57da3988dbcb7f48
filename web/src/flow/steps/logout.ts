import { loggedOutRedirectDelayMs } from '../constants.ts';
import type { FlowState } from '../model.ts';
import { goTo, onAction, row, stay, submitting } from '../transition.ts';
import type { Transition } from '../transition.ts';
import { restartLogin } from './initialisation.ts';

/** The logged-out page, which leads on to the stored address after a moment. */
function goToLoggedOut(state: FlowState): Transition {
  const leavingTo = state.logout?.postLogoutRedirectUri;
  const ms = state.skipLogoutDelay ? 0 : loggedOutRedirectDelayMs;
  return goTo(
    { ...state, leavingTo, context: undefined, siteList: undefined, todos: {} },
    'logged-out',
    { type: 'show-address', address: 'account/logged-out' },
    ...(leavingTo === undefined ? [] : [{ type: 'start-timer', timer: 'logged-out-redirect', ms } as const]),
  );
}

export const logoutRows = [
  row({
    on: 'LOGOUT_CONTEXT_LOADED',
    from: ['start'],
    to: ['same', 'logout', 'logged-out'],
    act: (state, { context }) => {
      const known: FlowState = { ...state, logout: context };
      if (state.entry.kind === 'logged-out') return goToLoggedOut(known);
      if (context.requiresConfirmation) return goTo(known, 'logout');
      // without a confirmation the splash stays until the sign-out is done
      return stay({ ...known, loading: true }, { type: 'sign-out' });
    },
  }),
  row({
    on: 'CONFIRM_LOGOUT',
    from: ['logout'],
    to: ['same'],
    act: (state) => (state.loading ? stay(state) : stay(submitting(state), { type: 'sign-out' })),
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
  row({ on: 'SIGNED_OUT', from: ['start', 'logout', 'select-site'], to: ['logged-out'], act: goToLoggedOut }),
];
