import { recoveryCalls } from '@anteroom/contract/recovery';
import type { RecoveryCallInput, RecoveryCallName } from '@anteroom/contract/recovery';
import { withRetries } from '../retry.ts';
import type { Correlation } from './correlation.ts';
import { isUnanswered, isRetryable } from './failures.ts';
import { sendCall } from './send-call.ts';
import type { CallResult } from './send-call.ts';

export type RecoveryAnswer<TName extends RecoveryCallName> = CallResult<(typeof recoveryCalls)[TName]>;

/** Every call except the read is sent once, without retries. */
type SingleCallName = Exclude<RecoveryCallName, 'getRecoveryContext'>;

export interface RecoveryApi {
  /** @param onSlow called when there has been no answer for a while */
  readContext: (
    referer: RecoveryCallInput<'getRecoveryContext'>['query'],
    onSlow: () => void,
  ) => Promise<RecoveryAnswer<'getRecoveryContext'>>;
  call: <TName extends SingleCallName>(
    name: TName,
    input: Pick<RecoveryCallInput<TName>, 'body'>,
  ) => Promise<RecoveryAnswer<TName>>;
}

/** The client of the recovery calls, which always go to the page's own origin. */
export function createRecoveryApi(correlation: Correlation, locale: () => string): RecoveryApi {
  const environment = () => ({ correlation, locale: locale(), base: '' });
  return {
    readContext: (query, onSlow) =>
      withRetries(
        () => sendCall(recoveryCalls.getRecoveryContext, { query }, environment()),
        (result) => !result.ok && isRetryable(result.failure),
        (result) => isUnanswered(result) && onSlow(),
      ),
    call: (name, input) => sendCall(recoveryCalls[name], input, environment()),
  };
}
