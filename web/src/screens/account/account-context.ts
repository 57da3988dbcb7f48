import { createContext, use } from 'react';
import type { AccountApi, PresentAccount } from '../../api/account-client.ts';
import type { Changes } from './use-changes.ts';

/** The data that every section of the account page shares. */
interface AccountVisit {
  account: PresentAccount;
  api: AccountApi;
  changes: Changes;
}

export const AccountContext = createContext<AccountVisit | undefined>(undefined);

export function useAccount(): AccountVisit {
  const visit = use(AccountContext);
  if (!visit) throw new Error('A section of the account page stands outside the page');
  return visit;
}
