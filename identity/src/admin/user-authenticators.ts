import type { Locale } from '@anteroom/contract';
import { revokeAccess } from '../openid/end-sessions.ts';
import { keepAccountMail } from '../sign-in/account-mail.ts';
import { findPersonByName } from '../users/users-store.ts';
import { runInTransaction } from './context.ts';
import type { AdminContext } from './context.ts';
import { recordChange } from './operator-events.ts';
import { RefusedError } from './problems.ts';

/**
 * Removes the app and its recovery codes, ends what the account has open, and notifies the user by mail. Returns the user name.
 * @throws RefusedError for an unknown user and one without an app
 */
export async function removeAuthenticator(
  context: AdminContext,
  userName: string,
  language: Locale,
): Promise<string> {
  const services = await context.services();
  const user = await findPersonByName(services.database, userName);
  if (user === undefined) throw new RefusedError(`there is no user ${userName}`);
  await runInTransaction(context, async (transaction) => {
    await revokeAccess(services, transaction, user.id);
    if (!(await services.secondFactor.apps.remove(transaction, user.id)))
      throw new RefusedError(`${user.userName} has no authenticator app`);
    await keepAccountMail(services, transaction, user, 'appRemoved', { language });
    const details = { noun: 'users', verb: 'remove-authenticator' };
    await recordChange(context, transaction, { personId: user.id }, details);
  });
  await services.codeLimits.forgive('second-factor', user.id);
  services.notices.sendDue();
  await context.tellApplications();
  return user.userName;
}
