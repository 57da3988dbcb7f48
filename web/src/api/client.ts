import type { Call, CallInputOf, calls } from '@anteroom/contract';
import type { Correlation } from './correlation.ts';
import { isUnanswered, isRetryable } from './failures.ts';
import { withRetries } from '../retry.ts';
import { addressOf, sendCall } from './send-call.ts';
import type { AnyInput, CallResult } from './send-call.ts';

/** The input of a call, without the parts that the call does not have. */
type Input<TCall extends Call> = {
  [
    Part in keyof CallInputOf<TCall> as CallInputOf<TCall>[Part] extends undefined ? never : Part
  ]: CallInputOf<TCall>[Part];
};

interface CallOptions {
  signal?: AbortSignal;
  /** Called once when a retried read has had no answer for a while. */
  onSlow?: (() => void) | undefined;
}

/** A client of a group of calls. */
export interface Client<TCalls extends Record<keyof TCalls, Call>> {
  call: <TName extends keyof TCalls>(
    name: TName,
    input: Input<TCalls[TName]>,
    options?: CallOptions,
  ) => Promise<CallResult<TCalls[TName]>>;
  /** The address of a call, for a browser navigation. */
  addressOf: <TName extends keyof TCalls>(name: TName, input: Input<TCalls[TName]>) => string;
}

/** The client of the 25 calls of the specification. */
export type Api = Client<typeof calls>;

export interface ApiEnvironment {
  correlation: Correlation;
  locale: () => string;
  /** The base address for calls, as set by the service: '' for the page's own origin. */
  baseAddress?: () => string;
  /** The extensions that the service of this sign-in offers. */
  extensions?: () => readonly string[] | undefined;
  /** Takes the answer to a read that is in the page, or that its inline script has requested, once. */
  takeAnswer?: (address: string) => Promise<Response> | undefined;
}

/** Normalises a base address: '' for the page's own origin, and no trailing slash. */
export function asBase(address: string): string {
  const base = (URL.parse(address)?.href ?? address).replace(/\/+$/, '');
  return base === location.origin ? '' : base;
}

/**
 * Creates a client. Adds headers, anti-forgery token, base address and timeout, retries reads, and maps every error to
 * a `Failure`.
 */
export function createClient<TCalls extends Record<keyof TCalls, Call>>(
  calls: TCalls,
  { correlation, locale, baseAddress = () => '', takeAnswer, extensions }: ApiEnvironment,
): Client<TCalls> {
  const baseFor = ({ ownOrigin }: Call): string => (ownOrigin ? '' : asBase(baseAddress()));
  const addressFor = (name: keyof TCalls, input: AnyInput): string =>
    addressOf(calls[name], input, baseFor(calls[name]));

  const once = <TName extends keyof TCalls>(
    name: TName,
    input: AnyInput,
    signal?: AbortSignal,
  ): Promise<CallResult<TCalls[TName]>> =>
    sendCall(calls[name], input, {
      correlation,
      locale: locale(),
      base: baseFor(calls[name]),
      signal,
      begun: takeAnswer?.(addressFor(name, input).replace(/\?t=\d+$/, '')),
      extensions: extensions?.(),
    });

  return {
    async call(name, input, { signal, onSlow } = {}) {
      if (!calls[name].repeatable) return once(name, input, signal);
      return withRetries(
        (end) => once(name, input, signal ? AbortSignal.any([signal, end]) : end),
        (result) => !result.ok && isRetryable(result.failure) && !signal?.aborted,
        (result) => isUnanswered(result) && onSlow?.(),
      );
    },
    addressOf: addressFor,
  };
}
