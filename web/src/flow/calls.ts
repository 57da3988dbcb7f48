import type { AuthContext } from '@anteroom/contract';
import { postLogoutAddressTimeoutMs } from './constants.ts';
import { returnUrl } from './context.ts';
import { call } from './effects.ts';
import type { CallOptions, Effect } from './effects.ts';
import type { EventOf } from './events.ts';
import type { FlowState, MessageFactor, PasswordChangePage } from './model.ts';

// The calls that more than one row makes.

const contextOptions: CallOptions = {
  failed: (failure, lacksCookies) => ({ type: 'CONTEXT_FAILED', failure, lacksCookies }),
  slow: { type: 'CONTEXT_SLOW' },
};

export const loadContext = (state: FlowState): Effect =>
  call(
    'getAuthContext',
    { query: { returnUrl: returnUrl(state), site: state.rememberedSite } },
    (context, time) => ({ type: 'CONTEXT_LOADED', context, time }),
    contextOptions,
  );

type Because = EventOf<'CONTEXT_REFRESHED'>['because'];

const refreshed =
  (because: Because) =>
  (context: AuthContext): EventOf<'CONTEXT_REFRESHED'> => ({ type: 'CONTEXT_REFRESHED', context, because });

/** Loads the context again, of the sign-in that this browser advanced last. */
export const refreshContext = (because: Because): Effect =>
  call('getRefreshContext', { query: {} }, refreshed(because));

/** Loads the context of this page's sign-in again. */
export const refreshOwnContext = (state: FlowState, because: Because): Effect =>
  call('getAuthContext', { query: { returnUrl: returnUrl(state), site: state.site } }, refreshed(because));

export const loadLogoutContext = (logoutId: string | undefined): Effect =>
  call(
    'getLogoutContext',
    { query: { logoutId } },
    (context) => ({ type: 'LOGOUT_CONTEXT_LOADED', context }),
    contextOptions,
  );

/** Loads the return address for a sign-out, which goes on without it. */
export const loadReturnAddress = (): Effect =>
  call('getLogoutContext', { query: {} }, (context) => ({ type: 'LOGOUT_CONTEXT_LOADED', context }), {
    failed: () => ({ type: 'LOGOUT_CONTEXT_LOADED', context: undefined }),
    patienceMs: postLogoutAddressTimeoutMs,
  });

/** `isChosen`: the user has just selected the site, so no selection is due. */
export const loadSiteSettings = (state: FlowState, site: string, isChosen?: true): Effect =>
  call('getSiteSettings', { query: { returnUrl: returnUrl(state), site } }, (answer) => ({
    type: 'SITE_SETTINGS_LOADED',
    answer,
    isChosen,
  }));

export const loadUserSettings = (state: FlowState, usernameOrEmail: string): Effect =>
  call(
    'getUserSettings',
    { query: { returnUrl: returnUrl(state), usernameOrEmail, site: state.site } },
    (answer) => ({ type: 'USER_SETTINGS_LOADED', usernameOrEmail, answer }),
    { failed: (failure) => ({ type: 'USER_SETTINGS_FAILED', failure }) },
  );

/** `page`: the page to show once the rules have loaded. */
export const loadPasswordPolicy = (
  { site }: FlowState,
  userName: string | undefined,
  page?: PasswordChangePage,
): Effect =>
  call(
    'passwordPolicy',
    { body: { userName, site } },
    (policy) => ({ type: 'POLICY_LOADED', policy, page }),
    {
      // A failure blocks only a page that waits for the rules, and only if the form cannot handle the failure.
      failed: (failure) =>
        failure.kind === 'unauthorised' || (failure.kind !== 'handled' && page !== undefined)
          ? { type: 'CALL_FAILED', failure }
          : { type: 'POLICY_LOADED', policy: undefined, page },
    },
  );

export const loadSites = (state: FlowState): Effect =>
  call(
    'getSites',
    { query: { returnUrl: returnUrl(state) } },
    (siteList) => ({ type: 'SITES_LOADED', siteList }),
    { needsSiteList: true },
  );

export const resendCode = (state: FlowState, asked: MessageFactor): Effect => {
  // A text message is the default, and services without the extension `factors` know nothing else.
  const factor = asked === 'sms' ? undefined : asked;
  return call(
    'resendMfaCode',
    { body: { returnUrl: returnUrl(state), factor } },
    (_, resent) => ({ type: 'CODE_RESENT', resent, factor }),
    { failed: (failure) => ({ type: 'RESEND_FAILED', failure, factor }) },
  );
};

export const signOut = (): Effect =>
  call('signOut', { body: {} }, () => ({ type: 'SIGNED_OUT' }), {
    failed: (failure) => ({ type: 'AUTH_FAILED', failure }),
  });
