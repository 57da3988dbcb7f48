import { calls } from '@anteroom/contract';
import type { CallInput, CallName } from '@anteroom/contract';
import type { Correlation } from './correlation.ts';
import { isUnanswered, mayMend } from './failures.ts';
import { withRetries } from '../retry.ts';
import { addressOf, sendCall } from './send-call.ts';
import type { AnyInput, CallResult } from './send-call.ts';

/** Reads that may be repeated (wire contract, "Decisions"). */
const repeatable: ReadonlySet<CallName> = new Set<CallName>([
  'getAuthContext',
  'getRefreshContext',
  'getLogoutContext',
  'getSiteSettings',
  'getUserSettings',
  'getConfig',
]);

/** Calls that always go to the page's own origin. */
const relative: ReadonlySet<CallName> = new Set<CallName>([
  'getAuthContext',
  'getLogoutContext',
  'getErrorMessage',
  'getConfig',
]);

export type Answer<TName extends CallName> = CallResult<(typeof calls)[TName]>;

/** What a call needs: only the parts that it has. */
export type Input<TName extends CallName> = {
  [
    Part in keyof CallInput<TName> as CallInput<TName>[Part] extends undefined ? never : Part
  ]: CallInput<TName>[Part];
};

interface CallOptions {
  signal?: AbortSignal;
  /** Called once when a repeated read has had no answer for a while. */
  onSlow?: () => void;
}

export interface Api {
  call: <TName extends CallName>(
    name: TName,
    input: Input<TName>,
    options?: CallOptions,
  ) => Promise<Answer<TName>>;
  /** The address of a call, for the browser to navigate to. */
  addressOf: <TName extends CallName>(name: TName, input: Input<TName>) => string;
}

export interface ApiSurroundings {
  correlation: Correlation;
  locale: () => string;
  /** Where calls go once an answer has said so: '' for the page's own origin. */
  baseAddress: () => string;
  /** What the service of this sign-in offers beyond the contract. */
  extensions: () => readonly string[] | undefined;
  /** The context call that the page's inline script has begun; its first asker gets it. */
  earlyContext?: Promise<Response> | undefined;
  /** The answer to a read that came with the page, by its address; once. */
  takeAnswer?: (address: string) => Promise<Response> | undefined;
}

/** A base that is the page's own origin, however it is written, stays relative; a slash at its end is not doubled. */
export function asBase(address: string): string {
  const base = (URL.parse(address)?.href ?? address).replace(/\/+$/, '');
  return base === location.origin ? '' : base;
}

/** The client of the contract: headers, anti-forgery, base address, time-out, and every failure in one shape. */
export function createApi({
  correlation,
  locale,
  baseAddress,
  earlyContext,
  takeAnswer,
  extensions,
}: ApiSurroundings): Api {
  let early = earlyContext;
  function takeEarlyContext(): Promise<Response> | undefined {
    const begun = early;
    early = undefined;
    return begun;
  }

  const baseFor = (name: CallName): string => (relative.has(name) ? '' : asBase(baseAddress()));

  const once = <TName extends CallName>(
    name: TName,
    input: AnyInput,
    signal?: AbortSignal,
  ): Promise<Answer<TName>> =>
    sendCall(calls[name], input, {
      correlation,
      locale: locale(),
      base: baseFor(name),
      signal,
      begun:
        name === 'getAuthContext'
          ? takeEarlyContext()
          : takeAnswer?.(addressOf(calls[name], input, baseFor(name)).replace(/\?t=\d+$/, '')),
      extensions: extensions(),
    });

  return {
    async call(name, input, { signal, onSlow } = {}) {
      if (!repeatable.has(name)) return once(name, input, signal);
      return withRetries(
        () => once(name, input, signal),
        (result) => !result.ok && mayMend(result.failure) && !signal?.aborted,
        (result) => isUnanswered(result) && onSlow?.(),
      );
    },
    addressOf: (name, input) => addressOf(calls[name], input, baseFor(name)),
  };
}
