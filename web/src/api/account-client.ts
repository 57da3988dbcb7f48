import { accountCalls } from '@anteroom/contract/account';
import type { AccountCallInput, ParsedAccountAnswer } from '@anteroom/contract/account';
import { createClient } from './client.ts';
import type { Client, ApiEnvironment } from './client.ts';
import type { CallResult } from './send-call.ts';

export type PresentAccount = ParsedAccountAnswer<'getAccount'>;
export type AccountActivity = ParsedAccountAnswer<'getAccountActivity'>;

export interface AccountApi extends Pick<Client<typeof accountCalls>, 'call'> {
  /** @param onSlow called when there has been no answer for a while */
  read: (onSlow?: () => void) => Promise<CallResult<typeof accountCalls.getAccount>>;
  /** The application that the user came from. */
  refererClientId: string | undefined;
  /** The address where the user signs in again, or changes the password. */
  proofAddress: (purpose: AccountCallInput<'getAccountProof'>['query']['purpose']) => string;
}

/** The client of the account page. */
export function createAccountApi(
  environment: ApiEnvironment,
  refererClientId: string | undefined,
): AccountApi {
  const { call, addressOf } = createClient(accountCalls, environment);
  return {
    call,
    read: (onSlow) => call('getAccount', { query: { refererClientId } }, { onSlow }),
    refererClientId,
    proofAddress: (purpose) =>
      addressOf('getAccountProof', {
        query: { purpose, language: environment.locale(), refererClientId },
      }),
  };
}
