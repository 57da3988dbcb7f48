import { accountCalls } from '@anteroom/contract/account';
import type { AccountCallInput, AccountCallName, ParsedAccountAnswer } from '@anteroom/contract/account';
import { withRetries } from '../retry.ts';
import type { Correlation } from './correlation.ts';
import { isUnanswered, isRetryable } from './failures.ts';
import { addressOf, sendCall } from './send-call.ts';
import type { CallResult } from './send-call.ts';

export type AccountAnswer<TName extends AccountCallName> = CallResult<(typeof accountCalls)[TName]>;
export type PresentAccount = ParsedAccountAnswer<'getAccount'>;

/** The calls that change the account. They are sent once; reads are retried, and the proof is a navigation. */
type ChangeName = Exclude<AccountCallName, 'getAccount' | 'getAccountProof' | FetchedName>;
/** The reads that are sent only when the user requests them. */
type FetchedName = 'getAccountActivity' | 'getAccountData';
export type AccountActivity = ParsedAccountAnswer<'getAccountActivity'>;

export interface AccountApi {
  /** @param onSlow called when there has been no answer for a while */
  read: (onSlow?: () => void) => Promise<AccountAnswer<'getAccount'>>;
  fetch: <TName extends FetchedName>(name: TName) => Promise<AccountAnswer<TName>>;
  change: <TName extends ChangeName>(
    name: TName,
    body: AccountCallInput<TName>['body'],
  ) => Promise<AccountAnswer<TName>>;
  /** The application that the user came from. */
  refererClientId: string | undefined;
  /** The address where the user signs in again, or changes the password. */
  proofAddress: (purpose: AccountCallInput<'getAccountProof'>['query']['purpose']) => string;
}

/** The client of the account page, whose calls always go to the page's own origin. */
export function createAccountApi(
  correlation: Correlation,
  locale: () => string,
  refererClientId: string | undefined,
): AccountApi {
  const surroundings = () => ({ correlation, locale: locale(), base: '' });
  return {
    read: (onSlow) =>
      withRetries(
        () => sendCall(accountCalls.getAccount, { query: { refererClientId } }, surroundings()),
        (result) => !result.ok && isRetryable(result.failure),
        (result) => isUnanswered(result) && onSlow?.(),
      ),
    refererClientId,
    fetch: (name) => sendCall(accountCalls[name], {}, surroundings()),
    change: (name, body) => sendCall(accountCalls[name], { body }, surroundings()),
    proofAddress: (purpose) =>
      addressOf(
        accountCalls.getAccountProof,
        { query: { purpose, language: locale(), refererClientId } },
        '',
      ),
  };
}
