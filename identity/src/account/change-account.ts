import { ContractError } from '../http/errors.ts';
import type { AccountChange } from '../messages/account-changed-mail.ts';
import { revokeAccess } from '../openid/end-sessions.ts';
import type { AuthenticationMethod } from '../sessions/session.ts';
import { queueAccountMail } from '../sign-in/account-mail.ts';
import { renewSession } from '../sign-in/continue-after-change.ts';
import type { SignInServices } from '../sign-in/sign-in-services.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { Account } from './require-account.ts';

/**
 * Changes how the user signs in: ends all other sessions and revokes tokens and codes, renews the id of this session, and
 * notifies the user by mail. Only one of several concurrent changes succeeds.
 * @param proved the methods that the user has authenticated with during the change
 * @throws `unauthorized` if another change came first or the session has ended
 */
export async function changeAccount(
  services: SignInServices,
  { person, session, exchange }: Account,
  mail: AccountChange,
  change: (transaction: DatabaseTransaction) => Promise<void>,
  proved: readonly AuthenticationMethod[] = [],
): Promise<void> {
  const issued = await services.database.transaction().execute(async (transaction) => {
    const { securityVersion } = await revokeAccess(services, transaction, person.id, {
      exceptIdHash: session.idHash,
    });
    if (securityVersion !== person.securityVersion + 1)
      throw new ContractError('unauthorized', { detail: 'the account was changed by another request' });
    await change(transaction);
    await queueNotification(services, transaction, { person, exchange }, mail);
    const account = { id: person.id, securityVersion };
    return await renewSession(exchange, session, account, transaction, {
      methods: [...new Set([...session.methods, ...proved])],
      // the change does not count as authentication
      authenticatedAt: session.authenticatedAt,
    });
  });
  exchange.adopt(issued);
  services.notices.sendDue();
  services.openid.notifyApplications();
}

/** Queues the notification mail in the transaction of the change. Call `notices.sendDue` after the commit. */
export async function queueNotification(
  services: SignInServices,
  transaction: DatabaseTransaction,
  { person, exchange }: Pick<Account, 'person' | 'exchange'>,
  mail: AccountChange,
): Promise<void> {
  await queueAccountMail(services, transaction, person, mail, exchange);
}
