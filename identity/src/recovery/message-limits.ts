import { ContractError } from '../http/errors.ts';
import { messagesForPerson, requestsOfAddress } from './limits.ts';
import type { Person } from '../users/users-store.ts';
import type { RecoveryServices } from './recovery-services.ts';

type Needed = Pick<RecoveryServices, 'allowances'>;

/** @throws `rate_limit_reached` if the address has requested too many messages, for any users */
export async function requireAllowance({ allowances }: Needed, address: string): Promise<void> {
  const retryAfterSeconds = await allowances.take(
    'recovery messages of address',
    { address },
    requestsOfAddress,
  );
  if (retryAfterSeconds === undefined) return;
  throw new ContractError('rate_limit_reached', {
    retryAfterSeconds,
    detail: 'too many recovery messages asked for by the address',
  });
}

/**
 * Whether the user can get one more message; the response does not reveal it. Unknown names are counted too.
 * @param account the user's id, or the unknown name
 */
export async function takeMessageAllowance({ allowances }: Needed, account: string): Promise<boolean> {
  return (await allowances.take('recovery messages for account', account, messagesForPerson)) === undefined;
}

/** For the audit log only: the response is the same in every case. */
export function findRefusalReason(person: Person | undefined, isAllowed: boolean): string {
  if (person === undefined) return 'unknown person';
  if (person.status !== 'active') return 'disabled person';
  return isAllowed ? 'no mail address' : 'too many messages for the person';
}
