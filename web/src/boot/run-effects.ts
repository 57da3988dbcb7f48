import type { Api, ApiSurroundings } from '../api/client.ts';
import { findCookie, writeCookie } from '../cookies.ts';
import { findSafeAddress } from '../addresses.ts';
import { returnUrl } from '../flow/context.ts';
import type { Effect, SignOutPage } from '../flow/effects.ts';
import type { AuthCall, Failure, FlowEvent } from '../flow/events.ts';
import type { FlowState } from '../flow/model.ts';
import type { EffectRunner } from '../flow/store.ts';
import { paths } from '../paths.ts';
import { loadSiteHeader } from '../screens/site-header-part.ts';
import { timeoutSignal } from '../timeout.ts';
import {
  withSafeAddresses,
  withSafeBase,
  withSafeLogoutAddresses,
  withSafeSiteAddresses,
} from './safe-addresses.ts';
import type { SiteListEffects } from './site-list-effects.ts';
import { createTimers } from './timers.ts';

/** How long a sign-out may be held up by asking where it leads. */
const postLogoutAddressTimeoutMs = 3000;

type Report = (event: FlowEvent) => void;

/** Carries out what the flow describes: the one place where it meets network, timers, cookies and the browser's address. */
export function createEffectRunner(api: Api, surroundings: ApiSurroundings): EffectRunner {
  const timers = createTimers();
  // fetched with the list that needs it; without it the list still lets people in
  let siteListPart: Promise<SiteListEffects | undefined> | undefined;
  const loadSiteListPart = (): Promise<SiteListEffects | undefined> => {
    siteListPart ??= import('./site-list-effects.ts').then(
      (part) => part.createSiteListEffects(api, surroundings),
      () => undefined,
    );
    return siteListPart;
  };

  async function answerWith(
    by: AuthCall,
    call: Promise<Awaited<ReturnType<typeof api.call<'authenticate'>>>>,
    before: FlowState,
    report: Report,
  ): Promise<void> {
    // fetched while there is a connection
    const lostAnswerPart = import('./find-lost-answer.ts').catch(() => undefined);
    const result = await call;
    if (result.ok) {
      const answer = withSafeBase(result.answer);
      return report({ type: 'AUTH_ANSWERED', answer, by, time: result.timing });
    }
    const { failure } = result;
    // `not_found` is what a browser that sends a request again by itself gets for the second, when the first one may have had the answer; and it
    // is, like a 401, what somebody hears who has left a page open for longer than a sign-in waits
    const isLost =
      failure.kind === 'unreachable' || failure.kind === 'unauthorised' || failure.code === 'not_found';
    const answer =
      isLost && (await (await lostAnswerPart)?.findLostAnswer(surroundings, before, by, failure));
    report(answer ? { type: 'AUTH_ANSWERED', answer, by } : { type: 'AUTH_FAILED', failure, by });
  }

  function leave(location: string, report: Report, replaces?: true): void {
    const address = findSafeAddress(location);
    if (address === undefined) return report({ type: 'LEAVE_REFUSED' });
    window.location[replaces ? 'replace' : 'assign'](address);
  }

  return (effect, { store, report }) => {
    const state = store.getState();
    const back = returnUrl(state);
    void run(effect).catch((error: unknown) => {
      report({ type: 'CRASHED' });
      throw error;
    });

    async function run(wanted: Effect): Promise<void> {
      switch (wanted.type) {
        case 'load-auth-context': {
          const query = { returnUrl: back, site: state.rememberedSite };
          const result = await api.call('getAuthContext', { query }, { onSlow });
          if (result.ok) return report({ type: 'CONTEXT_LOADED', context: withSafeAddresses(result.answer) });
          return reportFailedContext(result.failure);
        }
        case 'refresh-context':
          return refreshContext(wanted.because);
        case 'load-logout-context': {
          const { logoutId, isOptional } = wanted;
          const patience = isOptional ? { signal: timeoutSignal(postLogoutAddressTimeoutMs) } : { onSlow };
          const result = await api.call('getLogoutContext', { query: { logoutId } }, patience);
          if (!result.ok && !isOptional) return reportFailedContext(result.failure);
          const context = result.ok ? withSafeLogoutAddresses(result.answer) : undefined;
          return report({ type: 'LOGOUT_CONTEXT_LOADED', context });
        }
        case 'find-site': {
          const { site } = wanted;
          const result = await api.call('getSiteExistence', { params: { name: site } });
          if (result.ok && result.answer.displayName) await loadSiteHeader();
          if (result.ok)
            return report({ type: 'SITE_CHECKED', site, answer: withSafeSiteAddresses(result.answer) });
          return report({ type: 'SITE_CHECK_FAILED', failure: result.failure });
        }
        case 'load-site-settings': {
          const { site, isChosen } = wanted;
          const result = await api.call('getSiteSettings', { query: { returnUrl: back, site } });
          if (result.ok) return report({ type: 'SITE_SETTINGS_LOADED', answer: result.answer, isChosen });
          return report({ type: 'CALL_FAILED', failure: result.failure });
        }
        case 'load-user-settings': {
          const { usernameOrEmail, site } = wanted;
          const result = await api.call('getUserSettings', {
            query: { returnUrl: back, usernameOrEmail, site },
          });
          if (result.ok)
            return report({ type: 'USER_SETTINGS_LOADED', usernameOrEmail, answer: result.answer });
          return report({ type: 'USER_SETTINGS_FAILED', failure: result.failure });
        }
        case 'authenticate':
          return answerWith('authenticate', api.call('authenticate', { body: wanted.body }), state, report);
        case 'verify-mfa-code':
          return answerWith(
            'verify-mfa-code',
            api.call('verifyMfaCode', { body: wanted.body }),
            state,
            report,
          );
        case 'reset-password':
          return answerWith(
            'reset-password',
            api.call('passwordReset', { body: wanted.body }),
            state,
            report,
          );
        case 'select-site': {
          const body = { site: wanted.site, returnUrl: back };
          return answerWith('select-site', api.call('selectSite', { body }), state, report);
        }
        case 'resend-mfa-code': {
          const result = await api.call('resendMfaCode', { body: { returnUrl: back } });
          if (result.ok) return report({ type: 'CODE_RESENT', resent: result.timing });
          return report({ type: 'RESEND_FAILED', failure: result.failure });
        }
        case 'load-password-policy': {
          const { userName, site, page } = wanted;
          const result = await api.call('passwordPolicy', { body: { userName, site } });
          // a page can do without the rules when the service says why it has none; nobody is kept from leaving by them
          const isInTheWay = !result.ok && result.failure.kind !== 'handled' && page !== undefined;
          if (!result.ok && (isInTheWay || result.failure.kind === 'unauthorised'))
            return report({ type: 'CALL_FAILED', failure: result.failure });
          return report({ type: 'POLICY_LOADED', policy: result.ok ? result.answer : undefined, page });
        }
        case 'load-sites': {
          const answer = api.call('getSites', { query: { returnUrl: back } });
          await Promise.all([loadSiteListPart(), loadSiteHeader()]);
          const result = await answer;
          if (result.ok) return report({ type: 'SITES_LOADED', siteList: result.answer });
          return report({ type: 'CALL_FAILED', failure: result.failure });
        }
        case 'load-todos':
          return loadTodos(wanted);
        case 'stop-todos':
          return (await siteListPart)?.stopTodos();
        case 'keep-recent-sites-first':
          return keepRecentSitesFirst(wanted.recentSitesFirst);
        case 'sign-out': {
          const result = await api.call('signOut', { body: {} });
          return report(
            result.ok ? { type: 'SIGNED_OUT' } : { type: 'CALL_FAILED', failure: result.failure },
          );
        }
        case 'load-error-record': {
          const result = await api.call('getErrorMessage', { query: { errorId: wanted.errorId } });
          return report({ type: 'ERROR_RECORD_LOADED', record: result.ok ? result.answer : undefined });
        }
        case 'load-post-login-redirect': {
          const result = await api.call('getPostLoginRedirect', { query: { returnUrl: back } });
          if (result.ok)
            return report({ type: 'POST_LOGIN_REDIRECT_LOADED', location: result.answer.location });
          return report({ type: 'CALL_FAILED', failure: result.failure });
        }
        case 'check-retry': {
          const result = await api.call('getRetry', {});
          return report({ type: 'RETRY_CHECKED', retry: result.ok && result.answer.retry });
        }
        case 'start-timer':
          return timers.start(wanted.timer, wanted.ms, () =>
            report({ type: 'TIMER_FIRED', timer: wanted.timer }),
          );
        case 'stop-timer':
          return timers.stop(wanted.timer);
        case 'leave':
          return leave(wanted.location, report, wanted.replaces);
        case 'leave-to-external': {
          const { site = '', forceAuthentication } = wanted;
          const query = { site, returnUrl: back, forceAuthentication: `${forceAuthentication}` } as const;
          return leave(api.addressOf('getExternalRedirect', { query }), report);
        }
        case 'remember-site':
          return writeCookie('anteroom_site', wanted.site, 'far-future');
        case 'show-address':
          return showAddress(wanted.address);
        case 'report':
          // nothing waits for it, nothing hears of its failure
          void api.call('postMetrics', {
            body: { metricData: [{ ...wanted.metric, at: new Date().toISOString() }] },
          });
          return;
      }
    }

    async function loadTodos(wanted: Extract<Effect, { type: 'load-todos' }>): Promise<void> {
      const part = await loadSiteListPart();
      if (part) return part.loadTodos(wanted, { store }, report);
      for (const site of wanted.others) report({ type: 'TODO_FAILED', site });
    }

    async function keepRecentSitesFirst(recentSitesFirst: boolean): Promise<void> {
      const part = await loadSiteListPart();
      if (part) return part.keepRecentSitesFirst(recentSitesFirst, back, report);
      report({ type: 'RECENT_SITES_FIRST_FAILED', recentSitesFirst, failure: { kind: 'unexpected' } });
    }

    function reportFailedContext(failure: Failure): void {
      // every call of a sign-in renews this cookie, so that it is there as long as the others
      report({ type: 'CONTEXT_FAILED', failure, lacksCookies: findCookie('XSRF-TOKEN') === undefined });
    }

    function onSlow(): void {
      report({ type: 'CONTEXT_SLOW' });
    }

    /** Another tab may have advanced its own sign-in in between: then the context is asked for by our own ReturnUrl. */
    async function refreshContext(
      because: 'password_reset_required' | 'select_site_required',
    ): Promise<void> {
      const refreshed = await api.call('getRefreshContext', { query: {} });
      const isAnothers = refreshed.ok && back !== undefined && (refreshed.answer.returnUrl ?? back) !== back;
      const result = isAnothers
        ? await api.call('getAuthContext', { query: { returnUrl: back, site: state.site } })
        : refreshed;
      if (result.ok)
        return report({ type: 'CONTEXT_REFRESHED', context: withSafeAddresses(result.answer), because });
      return report({ type: 'CALL_FAILED', failure: result.failure });
    }

    function showAddress(address: 'account/login' | SignOutPage): void {
      // a reload of a sign-out's page needs the whole query: the logout id, skip_logout_delay
      const { search } = window.location;
      const next = address === 'account/login' ? paths.login(back) : paths.signOut(address, search);
      // the path alone counts: a login that is at login already keeps its whole query
      if (window.location.pathname !== new URL(next, window.location.href).pathname)
        history.replaceState(history.state, '', next);
    }
  };
}
