import { calls } from '@anteroom/contract';
import type { AuthResponse } from '@anteroom/contract';
import type { ApiEnvironment } from '../api/client.ts';
import { sendCall } from '../api/send-call.ts';
import { findCookie, writeCookie } from '../cookies.ts';
import { returnUrl } from '../flow/context.ts';
import type { AuthCall, Failure } from '../flow/events.ts';
import { lostAnswer } from '../flow/lost-answer.ts';
import type { FlowState } from '../flow/model.ts';
import { timeoutSignal } from '../timeout.ts';

/** The timeout of the original call plus this one is at most 15 seconds. */
const contextTimeoutMs = 5000;

/**
 * Finds the outcome of a call without an answer. The service may have processed the call, and state-changing calls are
 * never sent twice, so this function reads the context instead, once. This module is a separate chunk, loaded while the
 * call is in flight.
 */
export async function findLostAnswer(
  { correlation, locale }: ApiEnvironment,
  before: FlowState,
  call: AuthCall,
  failure: Failure,
): Promise<AuthResponse | undefined> {
  const result = await sendCall(
    calls.getAuthContext,
    { query: { returnUrl: returnUrl(before), site: findCookie('anteroom_site') } },
    { correlation, locale: locale(), base: '', signal: timeoutSignal(contextTimeoutMs) },
  );
  if (result.ok) return lostAnswer(before, result.answer, call);
  const { status = 0 } = result.failure;
  const isGone = status >= 400 && status < 500 && status !== 429;
  if (!isGone) return undefined;
  // The sign-in restarts and shows why: the service was unreachable, or it no longer knows the sign-in (for example
  // after an hour).
  const notice =
    failure.kind === 'unreachable'
      ? { level: 'error', key: 'error.serverUnreachable' }
      : { level: 'info', key: 'error.unauthorized' };
  writeCookie('anteroom_notice', JSON.stringify(notice), 'session');
  return lostAnswer(before, 'gone', call);
}
