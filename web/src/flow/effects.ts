import type { AuthResponse, CallInput, CallName, FrontEndMetric, ParsedAnswer } from '@anteroom/contract';
import type { AuthCall, Failure, FlowEvent, Resent } from './events.ts';
import type { Preference, Timer } from './model.ts';

/** The sign-out pages with an address. */
export type SignOutPage = 'account/logout' | 'account/logged-out';

/** The parts of a call's input that the call has. */
type Input<TName extends CallName> = {
  [
    Part in keyof CallInput<TName> as CallInput<TName>[Part] extends undefined ? never : Part
  ]: CallInput<TName>[Part];
};

export interface CallOptions {
  /** The event of a failure; by default `CALL_FAILED`. `lacksCookies`: the browser has no cookie of a sign-in. */
  failed?: (failure: Failure, lacksCookies: boolean) => FlowEvent;
  /** Reported once if the answer is slow. */
  slow?: FlowEvent;
  /** How long the call can take at most, if less than usual. */
  patienceMs?: number;
  /** The answer needs the late code of the site list. */
  needsSiteList?: true;
  /** The call may have had an effect although its answer was lost (`lost-answer.ts`). */
  isChecked?: true;
}

/** A call, and the event that its answer means; `call` checks their types. */
export interface CallEffect extends CallOptions {
  type: 'call';
  name: CallName;
  input: object;
  answered: (answer: unknown, timing?: Resent) => FlowEvent;
}

/** The effect of making a call. */
export function call<TName extends CallName>(
  name: TName,
  input: Input<TName>,
  answered: (answer: ParsedAnswer<TName>, timing?: Resent) => FlowEvent,
  options?: CallOptions,
): CallEffect {
  return { type: 'call', name, input, answered: answered as CallEffect['answered'], ...options };
}

/** A call of the sign-in, whose failures the current form shows. */
export const signInCall = <TName extends AuthCall>(name: TName, input: Input<TName>): Effect =>
  call(name, input, (answer: AuthResponse, time) => ({ type: 'AUTH_ANSWERED', answer, by: name, time }), {
    failed: (failure) => ({ type: 'AUTH_FAILED', failure }),
    isChecked: true,
  });

/**
 * A side effect that the flow requests. `boot/run-effects.ts` runs it and reports its result as an event. Secrets exist
 * only in effects, never in the state.
 */
export type Effect =
  | CallEffect
  /** Requests to-dos at once for sites in view, and when the browser is idle for the others. */
  | { type: 'load-todos'; inView: readonly string[]; others: readonly string[] }
  | { type: 'stop-todos' }
  /** Shows the preference and stores it; shows the opposite if it cannot be stored. */
  | { type: 'keep-preference'; preference: Preference }
  | { type: 'start-timer'; timer: Timer; ms: number }
  | { type: 'stop-timer'; timer: Timer }
  /** `replaces`: the browser's Back button does not return to this page. */
  | { type: 'leave'; location: string; replaces?: true }
  /** To the page for a forgotten site, which sends the site names to the address; back as `SITE_CHECKED` without one. */
  | { type: 'leave-with-email'; email: string }
  | { type: 'leave-to-external'; site: string | undefined; forceAuthentication: boolean }
  | { type: 'remember-site'; site: string }
  | { type: 'show-address'; address: 'account/login' | SignOutPage }
  | { type: 'report'; metric: Omit<FrontEndMetric, 'at'> };

export type EffectType = Effect['type'];
