import type { Call, ParsedAnswerOf } from '@anteroom/contract';
import * as v from 'valibot';
import type { Failure } from '../flow/events.ts';
import { removeUnsafeAddresses } from '../addresses.ts';
import { findCookie } from '../cookies.ts';
import { withQuery } from '../query.ts';
import { readTimeoutMs, timeoutSignal } from '../timeout.ts';
import type { Correlation } from './correlation.ts';
import { bodyOf, failureOf, timingOf, unreachable } from './failures.ts';
import type { AnswerTiming } from './failures.ts';
import { callHeaders } from './correlation.ts';

/**
 * State-changing calls have a shorter timeout, so that their outcome can be looked up within the same 15 seconds
 * (`boot/find-lost-answer.ts`).
 */
const changeTimeoutMs = 10_000;

/** The extensions that this page supports. `passkey-support.ts` adds one once it knows more about the browser. */
export const supported = ['totp', 'passkeys', 'factors'];

export type Result<TAnswer> =
  | { ok: true; answer: TAnswer; timing: AnswerTiming }
  | { ok: false; failure: Failure };
export type CallResult<TCall extends Call> = Result<ParsedAnswerOf<TCall>>;

/** The parts of a call's input that become its address and body. */
export interface AnyInput {
  params?: Record<string, string | undefined>;
  query?: Record<string, string | undefined>;
  body?: unknown;
}

export interface CallEnvironment {
  correlation: Correlation;
  locale: string;
  /** The base address: '' for the page's own origin. */
  base: string;
  signal?: AbortSignal | undefined;
  /**
   * The extensions that the service lists. The header names those that this page supports (wire contract, "Optional
   * members").
   */
  extensions?: readonly string[] | undefined;
  /** The promise of this request, if it has already been sent. */
  begun?: Promise<Response> | undefined;
}

export function addressOf(call: Call, { params = {}, query = {} }: AnyInput, base: string): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return withQuery(`${base}${path}`, query);
}

/** Sends one call: headers, anti-forgery token, timeout, and every error as a `Failure`. */
export async function sendCall<TCall extends Call>(
  call: TCall,
  input: AnyInput,
  { correlation, locale, base, signal, begun, extensions }: CallEnvironment,
): Promise<CallResult<TCall>> {
  const changesState = call.method !== 'GET';
  const headers = begun ? {} : callHeaders(locale, correlation);
  if (changesState) headers['Content-Type'] = 'application/json';
  const named = extensions?.filter((name) => supported.includes(name)).join();
  if (named) headers['X-Anteroom-Extensions'] = named;
  // The token is not sent to another origin, which checks the Origin header and the preflight instead (wire contract,
  // "Headers").
  if (changesState && base === '') headers['X-XSRF-TOKEN'] = findCookie('XSRF-TOKEN') ?? '';
  const timeout = timeoutSignal(changesState ? changeTimeoutMs : readTimeoutMs);
  try {
    const response = await (begun ??
      fetch(addressOf(call, input, base), {
        method: call.method,
        headers,
        credentials: 'include',
        cache: 'no-store',
        keepalive: !!call.keepalive,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(changesState && { body: JSON.stringify(input.body ?? {}) }),
      }));
    const timing = timingOf(response);
    if (!response.ok) return { ok: false, failure: await failureOf(response, timing) };
    return await parse(call, response, timing);
  } catch {
    return { ok: false, failure: unreachable };
  }
}

/** An answer that does not match the schema is an unexpected error. */
async function parse<TCall extends Call>(
  call: TCall,
  response: Response,
  timing: AnswerTiming,
): Promise<CallResult<TCall>> {
  if (!call.answer) return { ok: true, answer: undefined as ParsedAnswerOf<TCall>, timing };
  const parsed = v.safeParse(call.answer, await bodyOf(response));
  if (!parsed.success)
    return { ok: false, failure: { kind: 'unexpected', status: response.status, ...timing } };
  if (parsed.output !== null && typeof parsed.output === 'object') removeUnsafeAddresses(parsed.output);
  // The schema belongs to the call, so its output is the call's answer.
  return { ok: true, answer: parsed.output as ParsedAnswerOf<TCall>, timing };
}
