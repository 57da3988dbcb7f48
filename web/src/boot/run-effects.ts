import type { Api, ApiEnvironment } from '../api/client.ts';
import { serviceTime } from '../api/service-time.ts';
import { findSafeAddress } from '../addresses.ts';
import { findCookie, writeCookie } from '../cookies.ts';
import { returnUrl } from '../flow/context.ts';
import type { Effect, EffectType, SignOutPage } from '../flow/effects.ts';
import type { AuthCall, FlowEvent } from '../flow/events.ts';
import type { EffectRunner, Flow } from '../flow/store.ts';
import { loadLate } from '../late-part.ts';
import { paths } from '../paths.ts';
import { timeoutSignal } from '../timeout.ts';
import type { SiteListEffects } from './site-list-effects.ts';
import { createTimers } from './timers.ts';

type Runners = {
  [TType in EffectType]: (
    effect: Extract<Effect, { type: TType }>,
    flow: Pick<Flow, 'store'> & { report: (event: FlowEvent) => void },
  ) => unknown;
};

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

  const runners: Runners = {
    call: async (effect, { store, report }) => {
      const { name, input, answered, failed, slow, patienceMs, needsSiteList, isChecked } = effect;
      const before = store.getState();
      // Loaded now, while there is a connection.
      const lostAnswerPart = isChecked && import('./find-lost-answer.ts').catch(() => undefined);
      const calling = api.call(name, input, {
        ...(patienceMs && { signal: timeoutSignal(patienceMs) }),
        onSlow: () => slow && report(slow),
      });
      if (needsSiteList) await loadSiteListPart();
      const result = await calling;
      if (result.ok) return report(answered(result.answer, result.timing));
      const { failure } = result;
      // `not_found` has two causes: the browser resent a request on its own after the first one succeeded, or (like a
      // 401) the page was open for longer than a sign-in lasts.
      const isLost =
        failure.kind === 'unreachable' || failure.kind === 'unauthorised' || failure.code === 'not_found';
      const lost =
        isChecked &&
        isLost &&
        (await (await lostAnswerPart)?.findLostAnswer(environment, before, name as AuthCall, failure));
      // The other cookies are HttpOnly. Every call of a sign-in renews this one, so without it the others are missing too.
      const lacksCookies = findCookie('XSRF-TOKEN') === undefined;
      report(lost ? answered(lost) : (failed?.(failure, lacksCookies) ?? { type: 'CALL_FAILED', failure }));
    },
    'load-todos': async (effect, { store, report }) => {
      const part = await loadSiteListPart();
      if (part) return part.loadTodos(effect, { store }, report);
      for (const site of effect.others) report({ type: 'TODO_FAILED', site });
    },
    'stop-todos': async () => (await siteListPart)?.stopTodos(),
    'keep-preference': async ({ preference }, { store, report }) => {
      const part = await loadSiteListPart();
      if (part) return part.keepPreference(preference, { store }, report);
      report({ type: 'PREFERENCE_FAILED', failure: { kind: 'unexpected' } });
    },
    'start-timer': ({ timer, ms }, { report }) =>
      timers.start(timer, ms, () => report({ type: 'TIMER_FIRED', timer })),
    'stop-timer': ({ timer }) => timers.stop(timer),
    leave: ({ location, replaces }, { report }) => leave(location, report, replaces),
    'leave-with-email': async ({ email }, { store, report }) => {
      if (!(await loadLate())?.leaveWithEmail(email, store.getState(), environment.locale()))
        report({ type: 'SITE_CHECKED', site: email, answer: { siteExists: false } });
    },
    'leave-to-external': ({ site = '', forceAuthentication }, { store, report }) => {
      const query = {
        site,
        returnUrl: returnUrl(store.getState()),
        forceAuthentication: `${forceAuthentication}`,
      } as const;
      leave(api.addressOf('getExternalRedirect', { query }), report);
    },
    'remember-site': ({ site }) => writeCookie('anteroom_site', site, 'far-future'),
    'show-address': ({ address }, { store }) => showAddress(address, returnUrl(store.getState())),
    // Fire and forget: metrics have no error handling.
    report: ({ metric }) =>
      api.call('postMetrics', { body: { metricData: [{ ...metric, at: serviceTime() }] } }),
  };

  async function run<TType extends EffectType>(
    effect: Extract<Effect, { type: TType }>,
    flow: Parameters<EffectRunner>[1],
  ): Promise<void> {
    await runners[effect.type](effect, flow);
  }

  return (effect, flow) => {
    void run(effect, flow).catch((error: unknown) => {
      flow.report({ type: 'CRASHED' });
      throw error;
    });
  };
}

function leave(location: string, report: (event: FlowEvent) => void, replaces?: true): void {
  const address = findSafeAddress(location);
  if (address === undefined) return report({ type: 'LEAVE_REFUSED' });
  window.location[replaces ? 'replace' : 'assign'](address);
}

function showAddress(address: 'account/login' | SignOutPage, returnTo: string | undefined): void {
  // A reload of a sign-out page needs the whole query: the logout id and skip_logout_delay.
  const { search } = window.location;
  const next = address === 'account/login' ? paths.login(returnTo) : paths.signOut(address, search);
  // Compares only the path, so that the login page keeps its whole query.
  if (window.location.pathname !== new URL(next, window.location.href).pathname)
    history.replaceState(history.state, '', next);
}
