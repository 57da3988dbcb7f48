import type { Locale } from '@anteroom/contract';
import { revokeAccess } from '../sign-out/end-sessions.ts';
import { removePasskeys } from '../factors/passkeys-store.ts';
import type { Services } from '../services.ts';
import { queueAccountMail } from '../sign-in/account-mail.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { findUserById } from '../users/users-store.ts';
import { runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';
import { recordChange } from './operator-events.ts';
import { RefusedError } from './problems.ts';
import { requireUserFor } from './users.ts';

type Removal = {
  mail: 'appRemoved' | 'passkeysRemoved';
  missing: string;
  /** Returns false if there is nothing to remove. */
  remove: (services: Services, transaction: DatabaseTransaction, userId: string) => Promise<boolean>;
};

/** The authenticators that an operator can remove for a user who lost them, by the name of the command. */
const removals = {
  'remove-authenticator': {
    mail: 'appRemoved',
    missing: 'authenticator app',
    remove: ({ factors }, transaction, userId) => factors.apps.remove(transaction, userId),
  },
  'remove-passkeys': {
    mail: 'passkeysRemoved',
    missing: 'passkey',
    remove: async (_services, transaction, userId) =>
      (await removePasskeys(transaction, userId, 'all')).length > 0,
  },
} satisfies Record<string, Removal>;

/**
 * Removes the authenticator app with its recovery codes, or all passkeys, ends the user's sessions and notifies the user
 * by mail. Returns the user name.
 * @throws RefusedError if the user is unknown or has nothing to remove
 */
export async function removeFactor(
  context: AdminContext,
  action: keyof typeof removals,
  userName: string,
  language: Locale,
): Promise<string> {
  const services = await context.services();
  const { mail, missing, remove }: Removal = removals[action];
  const { id } = await requireUserFor(context, 'users:factors', { name: userName });
  const user = await findUserById(services.database, id);
  if (user === undefined) throw new RefusedError(`there is no user ${userName}`, { kind: 'missing' });
  await runInTransaction(context, async (transaction) => {
    await revokeAccess(services, transaction, user.id);
    if (!(await remove(services, transaction, user.id)))
      throw new RefusedError(`${user.userName} has no ${missing}`);
    await queueAccountMail(services, transaction, user, mail, { language });
    await recordChange(context, transaction, { userId: user.id }, { resource: 'users', action });
  });
  await services.codeLimits.forgive('second-factor', user.id);
  services.notices.sendDue();
  await context.notifyApplications();
  return user.userName;
}
