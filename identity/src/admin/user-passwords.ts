import type { Locale } from '@anteroom/contract';
import { findBrokenRuleOfNew } from '../passwords/change.ts';
import { findBrokenRule } from '../passwords/policy-rules.ts';
import type { BrokenRule } from '../passwords/policy-rules.ts';
import { policyOf } from '../passwords/policy.ts';
import { strictestPolicyOf } from '../passwords/strictest-policy.ts';
import { listSitesOf } from '../sites/site-memberships-store.ts';
import { replacePassword } from '../sign-in/replace-password.ts';
import { findUserById } from '../users/users-store.ts';
import type { User } from '../users/users-store.ts';
import { kindOf } from '../passwords/hash-work.ts';
import { findStoredKinds, kindColumn } from '../passwords/stored-kinds.ts';
import { runInTransaction } from './admin-context.ts';
import type { AdminContext } from './admin-context.ts';
import { recordChange, recordOperation } from './operator-events.ts';
import { RefusedError } from './problems.ts';
import { users } from './users.ts';

export type UserWithPassword = User & { passwordHash: string };

/** Applies the default policy, because a new user is not a member of any site yet. */
export async function findBrokenRuleForNew(
  context: AdminContext,
  { userName, email }: { userName: string; email?: string | null | undefined },
  password: string,
): Promise<BrokenRule | undefined> {
  const { blocklist } = await context.services();
  const user = typeof email === 'string' ? [userName, email] : [userName];
  return await findBrokenRule(policyOf(undefined), password, { user, site: [] }, blocklist);
}

/** @throws RefusedError if the user is unknown or signs in elsewhere */
export async function requireUserWithPassword(
  { database }: AdminContext,
  name: string,
): Promise<UserWithPassword> {
  const { id, entry } = await users.require(database, { userName: name });
  const user = await findUserById(database, id);
  if (user?.passwordHash === undefined)
    throw new RefusedError(`${entry.userName} signs in elsewhere and has no password here`);
  return { ...user, passwordHash: user.passwordHash };
}

/** Applies the policies of all of the user's sites, and rejects passwords that the user had before. */
export async function findBrokenRuleFor(
  context: AdminContext,
  user: UserWithPassword,
  password: string,
): Promise<BrokenRule | undefined> {
  const services = await context.services();
  const sites = await listSitesOf(services.database, user.id);
  return await findBrokenRuleOfNew(services, strictestPolicyOf(sites), { user, password, sites });
}

/** Has the same effects as a password reset: sessions end, and the user is notified by mail. */
export async function setPassword(
  context: AdminContext,
  user: UserWithPassword,
  password: string,
  { mustChange, language }: { mustChange: boolean; language: Locale },
): Promise<void> {
  const services = await context.services();
  const newHash = await services.passwords.hash(password);
  await runInTransaction(context, async (transaction) => {
    const change = { user: user, newHash, language, mustChange };
    if ((await replacePassword(services, transaction, change)) === undefined)
      throw new RefusedError('the password was changed at the same time: run this command again');
    const details = { resource: 'users', action: 'set-password', mustChange: mustChange ? 'yes' : 'no' };
    await recordChange(context, transaction, { userId: user.id }, details);
  });
  await services.limits.forgive('password', user.id);
  services.notices.sendDue();
  await context.notifyApplications();
}

/**
 * Replaces the remaining imported hashes with the hash of an unknown password and returns their number. Argon2 hashes
 * are replaced only on request: users may have chosen those passwords in this service, before its parameters changed.
 */
export async function endImport(
  context: AdminContext,
  { argon2, dryRun }: { argon2: boolean; dryRun: boolean | undefined },
): Promise<number> {
  const { passwords, random } = await context.services();
  const unknown = await passwords.hash(random.token());
  const now = context.clock.now();
  return await runInTransaction(
    context,
    async (transaction) => {
      const kinds = [...(await findStoredKinds(transaction))].filter(
        (kind) => kind !== kindOf(unknown) && (argon2 || !kind.startsWith('$argon2')),
      );
      if (kinds.length === 0) return 0;
      const { numUpdatedRows } = await transaction
        .updateTable('credentials')
        .set({ password_hash: unknown, changed_at: now })
        .where(kindColumn, 'in', kinds)
        .executeTakeFirstOrThrow();
      const details = { resource: 'users', action: 'end-import', changed: String(numUpdatedRows) };
      await recordOperation(context, transaction, [{ event: 'operator.change', details }]);
      return Number(numUpdatedRows);
    },
    { dryRun },
  );
}
