import type { AuthResponse } from '@anteroom/contract';
import type { Api, ApiEnvironment } from '../api/client.ts';
import type { AnswerTiming } from '../api/failures.ts';
import type { Result } from '../api/send-call.ts';
import { findSafeAddress } from '../addresses.ts';
import { findCookie, writeCookie } from '../cookies.ts';
import { returnUrl } from '../flow/context.ts';
import type { Effect, SignOutPage } from '../flow/effects.ts';
import type { AuthCall, Failure, FlowEvent } from '../flow/events.ts';
import type { EffectRunner } from '../flow/store.ts';
import { paths } from '../paths.ts';
import { loadSiteHeader } from '../screens/site-header-part.ts';
import { timeoutSignal } from '../timeout.ts';
import type { SiteListEffects } from './site-list-effects.ts';
import { createTimers } from './timers.ts';

/** How long the request for the return address can delay a sign-out. */
const postLogoutAddressTimeoutMs = 3000;

/**
 * Runs the effects of the flow: the only place where the flow uses the network, timers, cookies and the browser's
 * address.
 */
export function createEffectRunner(api: Api, environment: ApiEnvironment): EffectRunner {
  const timers = createTimers();
  // Loaded with the site list. If loading fails, users can still select a site.
  let siteListPart: Promise<SiteListEffects | undefined> | undefined;
  const loadSiteListPart = (): Promise<SiteListEffects | undefined> => {
    siteListPart ??= import('./site-list-effects.ts').then(
      (part) => part.createSiteListEffects(api, environment),
      () => undefined,
    );
    return siteListPart;
  };

  return (effect, { store, report }) => {
    const state = store.getState();
    const returnTo = returnUrl(state);
    void run(effect).catch((error: unknown) => {
      report({ type: 'CRASHED' });
      throw error;
    });

    async function run(effect: Effect): Promise<void> {
      switch (effect.type) {
        case 'load-auth-context': {
          const query = { returnUrl: returnTo, site: state.rememberedSite };
          const result = await api.call('getAuthContext', { query }, { onSlow });
          if (result.ok) return report({ type: 'CONTEXT_LOADED', context: result.answer });
          return reportFailedContext(result.failure);
        }
        case 'refresh-context':
          return refreshContext(effect.because);
        case 'load-logout-context': {
          const { logoutId, isOptional } = effect;
          const patience = isOptional ? { signal: timeoutSignal(postLogoutAddressTimeoutMs) } : { onSlow };
          const result = await api.call('getLogoutContext', { query: { logoutId } }, patience);
          if (!result.ok && !isOptional) return reportFailedContext(result.failure);
          const context = result.ok ? result.answer : undefined;
          return report({ type: 'LOGOUT_CONTEXT_LOADED', context });
        }
        case 'find-site': {
          const { site } = effect;
          const result = await api.call('getSiteExistence', { params: { name: site } });
          if (result.ok && result.answer.displayName) await loadSiteHeader();
          return forward(result, (answer) => ({ type: 'SITE_CHECKED', site, answer }), 'SITE_CHECK_FAILED');
        }
        case 'load-site-settings': {
          const { site, isChosen } = effect;
          const result = await api.call('getSiteSettings', { query: { returnUrl: returnTo, site } });
          return forward(result, (answer) => ({ type: 'SITE_SETTINGS_LOADED', answer, isChosen }));
        }
        case 'load-user-settings': {
          const { usernameOrEmail, site } = effect;
          const query = { returnUrl: returnTo, usernameOrEmail, site };
          return forward(
            await api.call('getUserSettings', { query }),
            (answer) => ({ type: 'USER_SETTINGS_LOADED', usernameOrEmail, answer }),
            'USER_SETTINGS_FAILED',
          );
        }
        case 'authenticate':
          return forwardAuth(effect.type, api.call('authenticate', { body: effect.body }));
        case 'verify-mfa-code':
          return forwardAuth(effect.type, api.call('verifyMfaCode', { body: effect.body }));
        case 'reset-password':
          return forwardAuth(effect.type, api.call('passwordReset', { body: effect.body }));
        case 'select-site': {
          const body = { site: effect.site, returnUrl: returnTo };
          return forwardAuth(effect.type, api.call('selectSite', { body }));
        }
        case 'resend-mfa-code': {
          const result = await api.call('resendMfaCode', { body: { returnUrl: returnTo } });
          return forward(result, (_, resent) => ({ type: 'CODE_RESENT', resent }), 'RESEND_FAILED');
        }
        case 'load-password-policy': {
          const { userName, site, page } = effect;
          const result = await api.call('passwordPolicy', { body: { userName, site } });
          // A failure blocks only a page that waits for the password rules, and only if the form cannot handle the
          // failure.
          const isBlocking = !result.ok && result.failure.kind !== 'handled' && page !== undefined;
          if (!result.ok && (isBlocking || result.failure.kind === 'unauthorised'))
            return report({ type: 'CALL_FAILED', failure: result.failure });
          return report({ type: 'POLICY_LOADED', policy: result.ok ? result.answer : undefined, page });
        }
        case 'load-sites': {
          const answer = api.call('getSites', { query: { returnUrl: returnTo } });
          await Promise.all([loadSiteListPart(), loadSiteHeader()]);
          return forward(await answer, (siteList) => ({ type: 'SITES_LOADED', siteList }));
        }
        case 'load-todos':
          return loadTodos(effect);
        case 'stop-todos':
          return (await siteListPart)?.stopTodos();
        case 'keep-recent-sites-first':
          return keepRecentSitesFirst(effect.recentSitesFirst);
        case 'sign-out':
          return forward(await api.call('signOut', { body: {} }), () => ({ type: 'SIGNED_OUT' }));
        case 'load-error-record': {
          const result = await api.call('getErrorMessage', { query: { errorId: effect.errorId } });
          return report({ type: 'ERROR_RECORD_LOADED', record: result.ok ? result.answer : undefined });
        }
        case 'load-post-login-redirect': {
          const result = await api.call('getPostLoginRedirect', { query: { returnUrl: returnTo } });
          return forward(result, ({ location }) => ({ type: 'POST_LOGIN_REDIRECT_LOADED', location }));
        }
        case 'check-retry': {
          const result = await api.call('getRetry', {});
          return report({ type: 'RETRY_CHECKED', retry: result.ok && result.answer.retry });
        }
        case 'start-timer':
          return timers.start(effect.timer, effect.ms, () =>
            report({ type: 'TIMER_FIRED', timer: effect.timer }),
          );
        case 'stop-timer':
          return timers.stop(effect.timer);
        case 'leave':
          return leave(effect.location, effect.replaces);
        case 'leave-to-external': {
          const { site = '', forceAuthentication } = effect;
          const query = { site, returnUrl: returnTo, forceAuthentication: `${forceAuthentication}` } as const;
          return leave(api.addressOf('getExternalRedirect', { query }));
        }
        case 'remember-site':
          return writeCookie('anteroom_site', effect.site, 'far-future');
        case 'show-address':
          return showAddress(effect.address);
        case 'report':
          // Fire and forget: metrics have no error handling.
          void api.call('postMetrics', {
            body: { metricData: [{ ...effect.metric, at: new Date().toISOString() }] },
          });
          return;
      }
    }

    /** Reports the answer of a call as an event, or its failure. */
    function forward<TAnswer>(
      result: Result<TAnswer>,
      toEvent: (answer: TAnswer, timing: AnswerTiming) => FlowEvent,
      failed: 'CALL_FAILED' | 'SITE_CHECK_FAILED' | 'USER_SETTINGS_FAILED' | 'RESEND_FAILED' = 'CALL_FAILED',
    ): void {
      report(result.ok ? toEvent(result.answer, result.timing) : { type: failed, failure: result.failure });
    }

    /** Reports the answer of a sign-in call; infers a lost answer from the context. */
    async function forwardAuth(by: AuthCall, call: Promise<Result<AuthResponse>>): Promise<void> {
      // Loaded now, while there is a connection.
      const lostAnswerPart = import('./find-lost-answer.ts').catch(() => undefined);
      const result = await call;
      if (result.ok) return report({ type: 'AUTH_ANSWERED', answer: result.answer, by, time: result.timing });
      const { failure } = result;
      // `not_found` has two causes: the browser resent a request on its own after the first one succeeded, or (like a
      // 401) the page was open for longer than a sign-in lasts.
      const isLost =
        failure.kind === 'unreachable' || failure.kind === 'unauthorised' || failure.code === 'not_found';
      const answer =
        isLost && (await (await lostAnswerPart)?.findLostAnswer(environment, state, by, failure));
      report(answer ? { type: 'AUTH_ANSWERED', answer, by } : { type: 'AUTH_FAILED', failure, by });
    }

    function leave(location: string, replaces?: true): void {
      const address = findSafeAddress(location);
      if (address === undefined) return report({ type: 'LEAVE_REFUSED' });
      window.location[replaces ? 'replace' : 'assign'](address);
    }

    async function loadTodos(effect: Extract<Effect, { type: 'load-todos' }>): Promise<void> {
      const part = await loadSiteListPart();
      if (part) return part.loadTodos(effect, { store }, report);
      for (const site of effect.others) report({ type: 'TODO_FAILED', site });
    }

    async function keepRecentSitesFirst(recentSitesFirst: boolean): Promise<void> {
      const part = await loadSiteListPart();
      if (part) return part.keepRecentSitesFirst(recentSitesFirst, returnTo, report);
      report({ type: 'RECENT_SITES_FIRST_FAILED', recentSitesFirst, failure: { kind: 'unexpected' } });
    }

    function reportFailedContext(failure: Failure): void {
      // The other cookies are HttpOnly. Every call of a sign-in renews this one, so without it the others are missing too.
      report({ type: 'CONTEXT_FAILED', failure, lacksCookies: findCookie('XSRF-TOKEN') === undefined });
    }

    function onSlow(): void {
      report({ type: 'CONTEXT_SLOW' });
    }

    /**
     * Reloads the context. If another tab has advanced its own sign-in meanwhile, requests the context by this page's
     * ReturnUrl.
     */
    async function refreshContext(
      because: 'password_reset_required' | 'select_site_required',
    ): Promise<void> {
      const refreshed = await api.call('getRefreshContext', { query: {} });
      const isAnothers =
        refreshed.ok && returnTo !== undefined && (refreshed.answer.returnUrl ?? returnTo) !== returnTo;
      const result = isAnothers
        ? await api.call('getAuthContext', { query: { returnUrl: returnTo, site: state.site } })
        : refreshed;
      forward(result, (context) => ({ type: 'CONTEXT_REFRESHED', context, because }));
    }

    function showAddress(address: 'account/login' | SignOutPage): void {
      // A reload of a sign-out page needs the whole query: the logout id and skip_logout_delay.
      const { search } = window.location;
      const next = address === 'account/login' ? paths.login(returnTo) : paths.signOut(address, search);
      // Compares only the path, so that the login page keeps its whole query.
      if (window.location.pathname !== new URL(next, window.location.href).pathname)
        history.replaceState(history.state, '', next);
    }
  };
}
