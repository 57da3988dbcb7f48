import { calls } from '@anteroom/contract';
import type { AuthResponse } from '@anteroom/contract';
import type { ApiSurroundings } from '../api/client.ts';
import { sendCall } from '../api/send-call.ts';
import { findCookie, writeCookie } from '../cookies.ts';
import { returnUrl } from '../flow/context.ts';
import type { AuthCall, Failure } from '../flow/events.ts';
import { lostAnswer } from '../flow/lost-answer.ts';
import type { FlowState } from '../flow/model.ts';
import { timeoutSignal } from '../timeout.ts';

/** Together with the time of the call itself at most 15 seconds: nobody looks at a spinner for longer. */
const lookTimeoutMs = 5000;

/**
 * What has become of a call that got no answer: the request may have been acted on, and nothing that changes state is sent twice, so the
 * context is read, once. A part of its own, fetched with the call: only who needs it waits for it.
 */
export async function findLostAnswer(
  { correlation, locale }: ApiSurroundings,
  before: FlowState,
  by: AuthCall,
  failure: Failure,
): Promise<AuthResponse | undefined> {
  const result = await sendCall(
    calls.getAuthContext,
    { query: { returnUrl: returnUrl(before), site: findCookie('anteroom_site') } },
    { correlation, locale: locale(), base: '', signal: timeoutSignal(lookTimeoutMs) },
  );
  if (result.ok) return lostAnswer(before, result.answer, by);
  const { status = 0 } = result.failure;
  const isGone = status >= 400 && status < 500 && status !== 429;
  if (!isGone) return undefined;
  // the page where the sign-in begins again says why: nobody answered, or the service did, and knows this sign-in no more, as after an hour
  const notice =
    failure.kind === 'unreachable'
      ? { level: 'error', key: 'error.serverUnreachable' }
      : { level: 'info', key: 'error.unauthorized' };
  writeCookie('anteroom_notice', JSON.stringify(notice), 'session');
  return lostAnswer(before, 'gone', by);
}
