import { errorBody, formErrorCodes } from '@anteroom/contract';
import * as v from 'valibot';
import type { Failure } from '../flow/events.ts';

/** The statuses that a form may handle when a body with a code comes along (specification, point 8). */
const handledStatuses = [400, 401, 429, 500];

/** No answer at all, or none in time. */
export const unreachable: Failure = { kind: 'unreachable' };

/** The one place where a 4xx or 5xx becomes something that the flow understands. */
export async function failureOf(response: Response, timing: AnswerTiming): Promise<Failure> {
  const { status } = response;
  const body = v.safeParse(errorBody, await bodyOf(response));
  const { code, description, policyLine } = body.success ? body.output : {};
  return { kind: kindOf(status, code, timing), status, code, description, policyLine, ...timing };
}

/** What an answer says; what is no JSON says nothing. @throws when the answer was cut off halfway, which makes it none. */
export async function bodyOf(response: Response): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
  });
}

function kindOf(
  status: number,
  code: string | undefined,
  { retryAfterSeconds }: AnswerTiming,
): Failure['kind'] {
  // a 401 that carries one of the forms' own codes stays on the page; any other goes to the login page, where the caller does not ignore it
  // (wire contract, "decided (2026-11-22)")
  if (status === 401) return code !== undefined && formErrorCodes.has(code) ? 'handled' : 'unauthorised';
  if (code !== undefined && handledStatuses.includes(status)) return 'handled';
  // a service that is busy says when to come back: the page stays, and what was typed with it
  if (status === 503 && code === 'overloaded' && retryAfterSeconds !== undefined) return 'handled';
  return 'unexpected';
}

/** Whether another try may succeed, for what may be tried again at all. */
export function mayMend({ kind, status }: Failure): boolean {
  return kind === 'unreachable' || (status !== undefined && status >= 500);
}

/** Nobody answers; a service that answers with a failure can be reached (specification, point 8). */
export function isUnanswered(result: { ok: true } | { ok: false; failure: Failure }): boolean {
  return !result.ok && result.failure.kind === 'unreachable';
}

export interface AnswerTiming {
  retryAfterSeconds: number | undefined;
  /** The answer's own `Date` in ms, else the time of its receipt. */
  serviceTimeMs: number;
  /** The browser's monotonic clock at the receipt, in ms. */
  receivedAtMs: number;
}

export function timingOf(response: Response): AnswerTiming {
  const date = Date.parse(response.headers.get('Date') ?? '');
  const wait = response.headers.get('Retry-After') ?? '';
  return {
    retryAfterSeconds: /^\d{1,6}$/.test(wait) ? Number(wait) : undefined,
    serviceTimeMs: Number.isNaN(date) ? Date.now() : date,
    receivedAtMs: performance.now(),
  };
}
