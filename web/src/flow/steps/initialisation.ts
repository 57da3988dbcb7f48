import type { AuthContext } from '@anteroom/contract';
import {
  loadContext,
  loadLogoutContext,
  loadPasswordPolicy,
  loadSites,
  loadSiteSettings,
  loadUserSettings,
} from '../calls.ts';
import { allowsPasswordEntry, isElevate } from '../context.ts';
import type { AnswerTime, Failure } from '../events.ts';
import { stepAfterSettings } from '../next-step.ts';
import type { ErrorReason, FlowState } from '../model.ts';
import { noProgress, restarted } from '../model.ts';
import { askForCode } from './ask-for-code.ts';
import {
  failWithoutForm,
  goTo,
  notify,
  onAction,
  row,
  showError,
  stay,
  withoutNotice,
} from '../transition.ts';
import type { Transition } from '../transition.ts';

/** The first transition for each kind of address. */
function start(state: FlowState): Transition {
  const { entry } = state;
  const starting: FlowState = { ...state, initialisation: 'INITIALIZING' };
  switch (entry.kind) {
    case 'login':
    case 'cancel-redirect-uri':
      return stay(starting, loadContext(starting));
    case 'logout':
      return stay(starting, loadLogoutContext(entry.logoutId));
    case 'home':
      return entry.page === 'sample-destination-url'
        ? sampleDestination(starting)
        : goTo(starting, entry.page);
    case 'error':
      return showError(starting, entry);
  }
}

/** Opens the test page that only some installations enable. */
function sampleDestination(state: FlowState): Transition {
  if (state.config === undefined) return stay(state);
  return state.config.sampleDestination ? goTo(state, 'sample-destination-url') : showError(state);
}

/** Restarts the login, for example after an expired code or a 401: loads the context again and keeps notices. */
export function restartLogin(state: FlowState): Transition {
  return stay(
    { ...restarted(state), entry: { kind: 'login' } },
    { type: 'stop-timer', timer: 'post-login-redirect' },
    { type: 'stop-timer', timer: 'retry-check' },
    { type: 'stop-todos' },
    { type: 'show-address', address: 'account/login' },
    loadContext(state),
  );
}

/**
 * Continues after the site has been determined: loads its settings, if there is a site whose settings are unknown, then
 * enters the step of the first check that holds.
 */
export function proceedWithSite(state: FlowState): Transition {
  const { site, siteAllowsPasswordEntry } = state;
  if (site === undefined || siteAllowsPasswordEntry !== undefined) return enterStepAfterSettings(state);
  return stay({ ...state, loading: true }, loadSiteSettings(state, site));
}

/** Enters the step that the context requires; if the user has just selected a site, the credentials of that site. */
export function enterStepAfterSettings(state: FlowState, isChosen?: true): Transition {
  const { context } = state;
  if (!context) return stay(state);
  const step = isChosen ? 'credentials' : stepAfterSettings(context);
  if (step === 'select-site') return goTo(state, step, loadSites(state));
  if (step === 'password-reset-voluntary')
    return stay({ ...state, loading: true }, loadPasswordPolicy(state, context.userName, step));
  if (step === 'elevate') return goTo(state, step);
  const external = externalHandOver(state);
  return external ?? goTo(state, step);
}

/**
 * Without password entry, an external provider signs the user in: at once if no name can be entered, after a user
 * lookup if the name is known, else from the credentials page with only a user name.
 */
function externalHandOver(state: FlowState): Transition | undefined {
  const { context } = state;
  if (!context) return undefined;
  if (allowsPasswordEntry(state)) return undefined;
  // A chosen account has a name too, which has not been looked up yet.
  const userName = context.userName ?? state.lookedUpUserName;
  if (userName !== undefined) return stay({ ...state, loading: true }, loadUserSettings(state, userName));
  return context.allowUserNameEntry ? undefined : leaveToExternal(state);
}

/** Navigates to the external provider; with ForceAuthentication in elevate mode. */
export function leaveToExternal(state: FlowState): Transition {
  return stay(
    { ...state, loading: true },
    { type: 'leave-to-external', site: state.site, forceAuthentication: isElevate(state) },
  );
}

/**
 * Handles a failure that belongs to no form. During the initialisation there is no screen to stay on, so it shows the
 * error page.
 */
export function callFailed(state: FlowState, failure: Failure): Transition {
  if (state.initialisation !== 'INITIALIZED' && failure.kind === 'unreachable') return showUnreachable(state);
  return failWithoutForm(state, failure, restartLogin);
}

/** Loads the rules for a password that must be changed, then enters that step. */
const requireReset = (state: FlowState): Transition =>
  stay(
    { ...state, leftStep: null, resetRequired: true },
    loadPasswordPolicy(state, state.enteredUserName, 'password-reset-required'),
  );

/** Enters the step with which the context starts. */
export function enterContext(known: FlowState, context: AuthContext, time?: AnswerTime): Transition {
  const { identityServiceUrl, promptMethod, session } = context;
  if (identityServiceUrl === undefined) return goTo(known, 'site-entry');
  const based: FlowState = { ...known, baseAddress: identityServiceUrl };
  if (promptMethod === 'switch_tenant')
    return goTo(
      {
        ...based,
        context: { ...context, defaultSite: undefined, session: { ...session, authSite: undefined } },
      },
      'site-entry',
    );
  const site = context.defaultSite ?? session.authSite;
  const here = { ...based, site };
  if (known.leftStep && context.awaitedStep)
    return context.awaitedStep === 'second_factor_required'
      ? askForCode(here, context, time)
      : requireReset(here);
  const needsSite = site === undefined && context.allowDefaultSiteEntry && session.state !== 'valid';
  if (needsSite) return goTo(based, 'site-entry');
  return proceedWithSite(here);
}

export const initialisationRows = [
  row({
    on: 'STARTED',
    from: ['start'],
    to: ['same', 'version', 'require-verified-login-email', 'sample-destination-url', 'error'],
    act: start,
  }),
  row({
    on: 'RESTORED',
    from: 'any',
    to: ['same'],
    // A page from the back/forward cache is out of date: clears what was typed and loads the context again.
    act: (state) => {
      if (state.entry.kind === 'login') return restartLogin(onAction(state));
      const isSignOut = state.entry.kind === 'logout' && state.page !== 'error';
      return isSignOut ? start(restarted(onAction(state))) : stay(state);
    },
  }),
  row({
    on: 'CONFIG_LOADED',
    from: 'any',
    to: ['same', 'sample-destination-url', 'error'],
    act: (state, { config }) => {
      const configured: FlowState = { ...state, config };
      const waits = state.page === undefined && state.entry.kind === 'home';
      return waits ? sampleDestination(configured) : stay(configured);
    },
  }),
  row({
    on: 'NOTICE_FOUND',
    from: 'any',
    to: ['same'],
    act: (before, { notice }) => {
      // A stored notice that arrives after the context replaces the notice of an expired session.
      const state = withoutNotice(before, expiryNotice.messageKey);
      return state.initialisation === 'INITIALIZED'
        ? stay(notify(state, notice))
        : stay({
            ...state,
            postInitialisationNotifications: [...state.postInitialisationNotifications, notice],
          });
    },
  }),
  row({
    on: 'CONTEXT_LOADED',
    from: 'any',
    to: [
      'same',
      'second-factor-required',
      'choose-account',
      'site-entry',
      'credentials',
      'select-site',
      'elevate',
      'error',
    ],
    act: (before, { context, time }) => {
      // The typed name is shown only while the service awaits a step of the same sign-in.
      const state = context.awaitedStep ? { ...before, ...before.leftStep } : before;
      const { finishedLocation } = context;
      if (finishedLocation !== undefined && state.entry.kind === 'login')
        return stay(
          { ...state, loading: true, leavingTo: finishedLocation },
          { type: 'leave', location: finishedLocation, replaces: true },
        );
      const known: FlowState = { ...withExpiryNotice(state, context.session.state), ...noProgress, context };
      if (state.entry.kind === 'cancel-redirect-uri') return goToCancelAddress(known);
      // After a restart, for example because of an expired code, the visitor has chosen already.
      const isAccountDue = context.rememberedAccounts?.length && state.enteredUserName === undefined;
      return isAccountDue ? goTo(known, 'choose-account') : enterContext(known, context, time);
    },
  }),
  row({
    on: 'CONTEXT_SLOW',
    from: 'any',
    to: ['same'],
    // The first screen appears once there is a connection, so a banner about the connection would be out of date.
    act: (state) =>
      stay({
        ...notify(state, { level: 'error', messageKey: 'error.serverUnreachable' }),
        banner: undefined,
      }),
  }),
  row({
    on: 'CONTEXT_FAILED',
    from: 'any',
    to: ['same', 'error'],
    act: (state, { failure, lacksCookies }) => {
      // Only a 401 of the logout context restarts the login. After a 401 of the login's own context, a restart would loop.
      if (state.entry.kind === 'logout' && failure.kind === 'unauthorised') return callFailed(state, failure);
      if (failure.kind === 'unreachable') return showUnreachable(state);
      return showError(state, {
        reason: failure.status === 404 ? reasonWithoutSignIn(state, lacksCookies) : undefined,
      });
    },
  }),
  row({
    on: 'SITE_SETTINGS_LOADED',
    from: 'any',
    to: ['same', 'credentials', 'select-site', 'elevate'],
    act: (state, { answer, isChosen }) =>
      enterStepAfterSettings({ ...state, siteAllowsPasswordEntry: answer.allowPasswordEntry }, isChosen),
  }),
  row({
    on: 'CALL_FAILED',
    from: 'any',
    to: ['same', 'error'],
    act: (state, { failure }) => callFailed(state, failure),
  }),
  row({ on: 'CRASHED', from: 'any', to: ['error'], act: (state) => showError(state) }),
];

function showUnreachable(state: FlowState): Transition {
  const notified = notify(state, { level: 'error', messageKey: 'error.serverUnreachable', durationMs: 0 });
  return showError(notified, { reason: 'unreachable' });
}

/** Why the service knows no sign-in for the page's address. */
function reasonWithoutSignIn({ returnUrl }: FlowState, lacksCookies = false): ErrorReason {
  if (returnUrl === undefined) return 'start';
  return lacksCookies ? 'cookies' : 'over';
}

const expiryNotice = { level: 'info', messageKey: 'error.unauthorized', durationMs: 0 } as const;

/** Shows a permanent notification of an expired session unless there is a stored notice (specification, point 4). */
function withExpiryNotice(state: FlowState, session: string): FlowState {
  const hasStoredNotice = state.postInitialisationNotifications.length > 0;
  if (session !== 'expired' || hasStoredNotice) return state;
  return notify(state, expiryNotice);
}

function goToCancelAddress(state: FlowState): Transition {
  const address = state.context?.cancelRedirectUri;
  if (address === undefined) return showError(state);
  return stay({ ...state, leavingTo: address }, { type: 'leave', location: address });
}
