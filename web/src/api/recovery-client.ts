import { recoveryCalls } from '@anteroom/contract/recovery';
import type { RecoveryCallInput, RecoveryCallName } from '@anteroom/contract/recovery';
import { withRetries } from '../retry.ts';
import type { Correlation } from './correlation.ts';
import { isUnanswered, mayMend } from './failures.ts';
import { sendCall } from './send-call.ts';
import type { CallResult } from './send-call.ts';

export type RecoveryAnswer<TName extends RecoveryCallName> = CallResult<(typeof recoveryCalls)[TName]>;

/** What changes nothing is read with retries; everything else is a call that is made once. */
type SingleCallName = Exclude<RecoveryCallName, 'getRecoveryContext'>;

export interface RecoveryApi {
  /** @param onSlow called while there has been no answer for some time */
  readContext: (
    referer: RecoveryCallInput<'getRecoveryContext'>['query'],
    onSlow: () => void,
  ) => Promise<RecoveryAnswer<'getRecoveryContext'>>;
  call: <TName extends SingleCallName>(
    name: TName,
    input: Pick<RecoveryCallInput<TName>, 'body'>,
  ) => Promise<RecoveryAnswer<TName>>;
}

/** The client of the recovery calls, which always go to the page's own referer. */
export function createRecoveryApi(correlation: Correlation, locale: () => string): RecoveryApi {
  const surroundings = () => ({ correlation, locale: locale(), base: '' });
  return {
    readContext: (query, onSlow) =>
      withRetries(
        () => sendCall(recoveryCalls.getRecoveryContext, { query }, surroundings()),
        (result) => !result.ok && mayMend(result.failure),
        (result) => isUnanswered(result) && onSlow(),
      ),
    call: (name, input) => sendCall(recoveryCalls[name], input, surroundings()),
  };
}
