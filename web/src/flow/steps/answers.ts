import type { AuthResponse } from '@anteroom/contract';
import { postLoginRedirectDelayMs, retryCheckDelayMs } from '../constants.ts';
import {
  loadPasswordPolicy,
  loadSites,
  loadSiteSettings,
  refreshContext,
  refreshOwnContext,
} from '../calls.ts';
import { isSessionValid, knownUserName, returnUrl } from '../context.ts';
import type { AuthCall, EventOf } from '../events.ts';
import type { FlowState, Page } from '../model.ts';
import { pagesAfterStatus } from '../next-step.ts';
import { goTo, row, showError, stay } from '../transition.ts';
import type { Transition } from '../transition.ts';
import { askForCode } from './ask-for-code.ts';
import { callFailed } from './initialisation.ts';

/** Handles the status of an answer (specification, point 4, "Authentication response status"). */
function afterAnswer(
  before: FlowState,
  { answer, by, time }: Pick<EventOf<'AUTH_ANSWERED'>, 'answer' | 'by' | 'time'>,
): Transition {
  const state: FlowState = {
    ...(by === 'passwordReset' ? withoutChangePrompt(before) : before),
    baseAddress: answer.authSiteIdentityBaseUri ?? before.baseAddress,
  };
  switch (answer.status) {
    case 'redirect':
      return afterRedirect(state, answer, by);
    case 'second_factor_required':
      return askForCode(state, answer, time);
    case 'password_reset_required':
      return stay({ ...state, resetRequired: true }, refreshContext(answer.status));
    case 'select_site_required':
      return stay(state, refreshContext(answer.status));
    case 'password_required':
      return goTo(state, 'password-required');
    case 'credentials_required':
      return by === 'selectSite' ? goToCredentialsOfChosenSite(state) : goTo(state, 'credentials');
  }
}

/** Each site has its own sign-in settings: loads those of the selected site and forgets those of the previous one. */
function goToCredentialsOfChosenSite(state: FlowState): Transition {
  const { site } = state;
  const unknown = { ...state, siteAllowsPasswordEntry: undefined, lookedUpUserName: undefined };
  if (site === undefined) return goTo(unknown, 'credentials');
  return stay({ ...unknown, loading: true }, loadSiteSettings(unknown, site, true));
}

/** A completed password change clears the prompt that requested it, whatever the answer (specification, point 4). */
function withoutChangePrompt(state: FlowState): FlowState {
  const { context } = state;
  return context?.promptMethod === 'change_password'
    ? { ...state, context: { ...context, promptMethod: undefined } }
    : state;
}

/**
 * Handles `redirect`: after a required password change, loads the password rules again first; then leaves for the
 * location.
 */
function afterRedirect(state: FlowState, { location, sessionValid }: AuthResponse, by: AuthCall): Transition {
  const onwards = postLoginRedirect({ ...state, resetRequired: false }, location, sessionValid);
  if (by !== 'passwordReset' || !state.resetRequired) return onwards;
  return {
    ...onwards,
    effects: [loadPasswordPolicy(state, knownUserName(state)), ...onwards.effects],
  };
}

/**
 * Leaves the sign-in. With a valid session, navigates at once to the given location; without one, requests the location
 * after a delay (specification, point 4, "Post-login redirect"). The answer can say that the session is valid now
 * (`sessionValid`, docs/extensions.md).
 */
export function postLoginRedirect(
  state: FlowState,
  location: string | undefined,
  sessionValid = isSessionValid(state),
): Transition {
  const leaving: FlowState = { ...state, loading: true, leavingTo: location };
  if (sessionValid && location !== undefined) return leave(leaving, location);
  return stay(leaving, { type: 'start-timer', timer: 'post-login-redirect', ms: postLoginRedirectDelayMs });
}

/** Navigates. If the page is still open after a while, asks the service whether to navigate again. */
function leave(state: FlowState, location: string): Transition {
  return stay(
    { ...state, leavingTo: location, loading: true },
    { type: 'leave', location },
    { type: 'start-timer', timer: 'retry-check', ms: retryCheckDelayMs },
  );
}

export const answerRows = [
  row({
    on: 'AUTH_ANSWERED',
    from: 'any',
    to: [...new Set<Page | 'same'>(Object.values(pagesAfterStatus).flat())],
    act: (state, answered) => {
      // The session now belongs to the selected site.
      const chosen =
        answered.by === 'selectSite' && state.context
          ? {
              ...state,
              context: { ...state.context, session: { ...state.context.session, authSite: state.site } },
            }
          : state;
      return afterAnswer({ ...chosen, error: undefined }, answered);
    },
  }),
  row({
    on: 'CONTEXT_REFRESHED',
    from: 'any',
    to: ['same', 'select-site'],
    act: (state, { context, because }) => {
      // Another tab has advanced its own sign-in meanwhile.
      const own = returnUrl(state);
      if (own !== undefined && (context.returnUrl ?? own) !== own)
        return stay(state, refreshOwnContext(state, because));
      const refreshed: FlowState = {
        ...state,
        // Before the sign-in is complete, the service may not name its site. A cancelled change returns to that site.
        context: { ...(state.resetRequired && state.context), ...context },
        baseAddress: context.identityServiceUrl ?? state.baseAddress,
        site: context.session.authSite ?? state.site ?? context.defaultSite,
      };
      if (because === 'select_site_required') return goTo(refreshed, 'select-site', loadSites(refreshed));
      const userName = knownUserName(refreshed) ?? refreshed.enteredUserName;
      const page = refreshed.resetRequired ? 'password-reset-required' : 'password-reset-voluntary';
      return stay(refreshed, loadPasswordPolicy(refreshed, userName, page));
    },
  }),
  row({
    on: 'POST_LOGIN_REDIRECT_LOADED',
    from: 'any',
    to: ['same'],
    act: (state, { location }) => leave(state, location),
  }),
  row({
    on: 'RETRY_CHECKED',
    from: 'any',
    to: ['same'],
    act: (state, { retry }) => {
      const here: FlowState = { ...state, loading: false };
      return retry && state.leavingTo !== undefined
        ? stay(here, { type: 'leave', location: state.leavingTo })
        : stay(here);
    },
  }),
  row({
    on: 'USER_SETTINGS_FAILED',
    from: 'any',
    to: ['same', 'error'],
    act: (state, { failure }) => callFailed(state, failure),
  }),
  row({ on: 'LEAVE_REFUSED', from: 'any', to: ['error'], act: (state) => showError(state) }),
  row({
    on: 'USER_SETTINGS_LOADED',
    from: 'any',
    to: ['same', 'credentials'],
    act: (state, { usernameOrEmail, answer }) => {
      if (answer.shouldRedirectToExternalAuth)
        return stay(
          { ...state, loading: true },
          {
            type: 'leave-to-external',
            site: state.site,
            forceAuthentication: state.context?.promptMethod === 'elevate',
          },
        );
      return goTo({ ...state, lookedUpUserName: usernameOrEmail }, 'credentials');
    },
  }),
];
