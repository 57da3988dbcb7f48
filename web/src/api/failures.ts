import { errorBody, formErrorCodes } from '@anteroom/contract';
import type { ErrorCode } from '@anteroom/contract';
import * as v from 'valibot';
import type { Failure } from '../flow/events.ts';
import { noteServiceTime } from './service-time.ts';

/** The statuses that a form can handle if the body has an error code (specification, point 8). */
const handledStatuses = [400, 401, 429, 500];

/** The service sent no answer, or none before the timeout. */
export const unreachable: Failure = { kind: 'unreachable' };

/** Maps a 4xx or 5xx response to a `Failure`. */
export async function failureOf(response: Response, timing: AnswerTiming): Promise<Failure> {
  const { status } = response;
  const body = v.safeParse(errorBody, await bodyOf(response));
  const { code: sentCode, description, policyLine } = body.success ? body.output : {};
  // Another service can send a code outside the catalogue, which then equals no code that the front end knows.
  const code = sentCode as ErrorCode | undefined;
  return {
    kind: kindOf(status, code, timing),
    status,
    code,
    // One that shows nothing, such as an image alone, would be an empty message.
    description: description?.replace(invisible, '').trim() ? description : undefined,
    policyLine,
    ...timing,
  };
}

/** Of a description, what a page does not show as text. */
const invisible = /<(script|style).*?<\/\1>|<.*?>|&.*?;/gis;

/**
 * The JSON body; undefined if the body is not JSON.
 * @throws if the connection breaks before the end of the body
 */
export async function bodyOf(response: Response): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
  });
}

function kindOf(
  status: number,
  code: ErrorCode | undefined,
  { retryAfterSeconds }: AnswerTiming,
): Failure['kind'] {
  // A 401 with a form error code keeps the page; any other 401 leads to the login page unless the caller ignores it
  // (wire contract, "decided (2026-11-22)").
  if (status === 401) return code !== undefined && formErrorCodes.has(code) ? 'handled' : 'unauthorised';
  if (code !== undefined && handledStatuses.includes(status)) return 'handled';
  // The request did not arrive completely, as on a connection that breaks.
  if (status === 408) return 'unreachable';
  // An overloaded service sends Retry-After: the page stays, with what the visitor typed.
  if (status === 503 && code === 'overloaded' && retryAfterSeconds !== undefined) return 'handled';
  return 'unexpected';
}

/** Whether a retry can succeed. */
export function isRetryable({ kind, status }: Failure): boolean {
  return kind === 'unreachable' || (status !== undefined && status >= 500);
}

/** Whether the service did not answer. A service that answers with an error is reachable (specification, point 8). */
export function isUnanswered(result: { ok: true } | { ok: false; failure: Failure }): boolean {
  return !result.ok && result.failure.kind === 'unreachable';
}

export interface AnswerTiming {
  retryAfterSeconds: number | undefined;
  /** The response's `Date` in ms, else the time of receipt. */
  serviceTimeMs: number;
  /** The browser's monotonic clock at the time of receipt, in ms. */
  receivedAtMs: number;
}

export function timingOf(response: Response): AnswerTiming {
  const date = Date.parse(response.headers.get('Date') ?? '');
  const receivedAtMs = performance.now();
  if (!Number.isNaN(date)) noteServiceTime(date, receivedAtMs);
  const wait = response.headers.get('Retry-After') ?? '';
  return {
    retryAfterSeconds: /^\d{1,6}$/.test(wait) ? Number(wait) : undefined,
    serviceTimeMs: Number.isNaN(date) ? Date.now() : date,
    receivedAtMs,
  };
}
