import { calls } from '@anteroom/contract';
import type { Call, CallInput, CallName } from '@anteroom/contract';
import type { Correlation } from './correlation.ts';
import { isUnanswered, isRetryable } from './failures.ts';
import { withRetries } from '../retry.ts';
import { addressOf, sendCall } from './send-call.ts';
import type { AnyInput, CallResult } from './send-call.ts';

export type Answer<TName extends CallName> = CallResult<(typeof calls)[TName]>;

/** The input of a call, without the parts that the call does not have. */
export type Input<TName extends CallName> = {
  [
    Part in keyof CallInput<TName> as CallInput<TName>[Part] extends undefined ? never : Part
  ]: CallInput<TName>[Part];
};

interface CallOptions {
  signal?: AbortSignal;
  /** Called once when a retried read has had no answer for a while. */
  onSlow?: () => void;
}

export interface Api {
  call: <TName extends CallName>(
    name: TName,
    input: Input<TName>,
    options?: CallOptions,
  ) => Promise<Answer<TName>>;
  /** The address of a call, for a browser navigation. */
  addressOf: <TName extends CallName>(name: TName, input: Input<TName>) => string;
}

export interface ApiEnvironment {
  correlation: Correlation;
  locale: () => string;
  /** The base address for calls, as set by the service: '' for the page's own origin. */
  baseAddress: () => string;
  /** The extensions that the service of this sign-in offers. */
  extensions: () => readonly string[] | undefined;
  /** The context call that the page's inline script has started; the first caller gets it. */
  earlyContext?: Promise<Response> | undefined;
  /** Takes the prefetched answer to a read by its address, once. */
  takeAnswer?: (address: string) => Promise<Response> | undefined;
}

/** Normalises a base address: '' for the page's own origin, and no trailing slash. */
export function asBase(address: string): string {
  const base = (URL.parse(address)?.href ?? address).replace(/\/+$/, '');
  return base === location.origin ? '' : base;
}

/**
 * The client of the wire contract. Adds headers, anti-forgery token, base address and timeout, and maps every error to
 * a `Failure`.
 */
export function createApi({
  correlation,
  locale,
  baseAddress,
  earlyContext,
  takeAnswer,
  extensions,
}: ApiEnvironment): Api {
  let early = earlyContext;
  function takeEarlyContext(): Promise<Response> | undefined {
    const earlyResponse = early;
    early = undefined;
    return earlyResponse;
  }

  const baseFor = ({ ownOrigin }: Call): string => (ownOrigin ? '' : asBase(baseAddress()));

  const once = <TName extends CallName>(
    name: TName,
    input: AnyInput,
    signal?: AbortSignal,
  ): Promise<Answer<TName>> =>
    sendCall(calls[name], input, {
      correlation,
      locale: locale(),
      base: baseFor(calls[name]),
      signal,
      begun:
        name === 'getAuthContext'
          ? takeEarlyContext()
          : takeAnswer?.(addressOf(calls[name], input, baseFor(calls[name])).replace(/\?t=\d+$/, '')),
      extensions: extensions(),
    });

  return {
    async call(name, input, { signal, onSlow } = {}) {
      if (!(calls[name] as Call).repeatable) return once(name, input, signal);
      return withRetries(
        () => once(name, input, signal),
        (result) => !result.ok && isRetryable(result.failure) && !signal?.aborted,
        (result) => isUnanswered(result) && onSlow?.(),
      );
    },
    addressOf: (name, input) => addressOf(calls[name], input, baseFor(calls[name])),
  };
}
