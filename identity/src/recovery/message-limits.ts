import { ContractError } from '../http/errors.ts';
import { messagesForPerson, requestsOfAddress } from './limits.ts';
import type { Person } from '../users/users-store.ts';
import type { RecoveryServices } from './recovery-services.ts';

type Needed = Pick<RecoveryServices, 'allowances'>;

/** @throws `rate_limit_reached` when the address has asked for too many messages, whoever they were for. */
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
 * Whether the person may be sent one more message; nobody who asks is told. Unknown names are counted alike.
 * @param account the person's id, or the name that nobody has
 */
export async function mayBeSentMessage({ allowances }: Needed, account: string): Promise<boolean> {
  return (await allowances.take('recovery messages for account', account, messagesForPerson)) === undefined;
}

/** For the audit log: who asked is told the same in every case. */
export function whyNothingIsSent(person: Person | undefined, mayBeSent: boolean): string {
  if (person === undefined) return 'unknown person';
  if (person.status !== 'active') return 'disabled person';
  return mayBeSent ? 'no mail address' : 'too many messages for the person';
}
