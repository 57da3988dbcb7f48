import type { RecoveryCallAnswer, RecoveryCallInput } from '@anteroom/contract/recovery';
import type { Locale, PasswordPolicy as PolicyAnswer } from '@anteroom/contract';
import { noteRefusal } from '../audit/audit.ts';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { RevokedAccess } from '../sign-out/end-sessions.ts';
import { findActiveUser, lockUsers, markEmailVerified } from '../users/users-store.ts';
import type { User } from '../users/users-store.ts';
import { replacePassword, requireGoodPassword, requireSamePassword } from '../sign-in/replace-password.ts';
import { describePolicy } from '../passwords/policy.ts';
import { strictestPolicyOf } from '../passwords/strictest-policy.ts';
import { listSitesOf } from '../sites/site-memberships-store.ts';
import type { RecoveryServices } from './recovery-services.ts';

/** Returns the user name of a link and the password rules. Does not consume the link. */
export function createOpenPasswordLink(services: RecoveryServices) {
  return async ({
    body,
  }: RecoveryCallInput<'openPasswordLink'>): Promise<RecoveryCallAnswer<'openPasswordLink'>> => {
    const user = await requireUser(services, await services.links.find(body.token));
    return { userName: user.userName, passwordPolicy: await describePasswordRules(services, user) };
  };
}

/**
 * Sets a new password with the token of a link, and ends all sessions of the user (OWASP Forgot Password Cheat Sheet).
 * Does not sign the user in. The next sign-in requires the second factor as usual.
 */
export function createSetNewPassword(services: RecoveryServices) {
  return async ({ body }: RecoveryCallInput<'setNewPassword'>, exchange: Exchange): Promise<undefined> => {
    // A rejected password does not consume the link.
    const userId = await services.links.find(body.token);
    const noted = { event: 'recovery.new-password', userId } as const;
    const { sessionsEnded, devicesForgotten } = await noteRefusal(services.audit, noted, exchange, () =>
      setNewPassword(services, body, userId, exchange),
    );
    const details = {
      sessionsEnded: String(sessionsEnded),
      devicesForgotten: String(devicesForgotten),
    };
    services.audit.note({ ...noted, result: 'success', details }, exchange);
  };
}

async function setNewPassword(
  services: RecoveryServices,
  body: RecoveryCallInput<'setNewPassword'>['body'],
  userId: string | undefined,
  exchange: Exchange,
): Promise<RevokedAccess> {
  const user = await requireUser(services, userId);
  const { language, browser } = exchange;
  // The page itself knows whether the new passwords differ, so a broken rule is reported first.
  await requirePasswordMeetsRules(services, user, body.newPassword, language);
  requireSamePassword(body);
  const newHash = await services.passwords.hash(body.newPassword);

  const revoked = await services.database.transaction().execute(async (transaction) => {
    // The lock serialises parallel uses of the link and password changes. Only the first one finds the link.
    await lockUsers(transaction, [user.id]);
    const isUsed = (await services.links.consume(body.token, transaction)) !== undefined;
    const done =
      isUsed && (await replacePassword(services, transaction, { user, newHash, language, browser }));
    if (!done) throw linkInvalid();
    // The link was in a mail to the present address: a change of the address would have removed the link.
    await markEmailVerified(transaction, user.id);
    return done;
  });
  // Failures with the old password do not count against the new one. Only a new password unlocks an account after 100
  // consecutive failures (NIST SP 800-63B-4, 3.2.2).
  await services.limits.forgive('password', user.id);
  services.notices.sendDue();
  services.notifyApplications();
  return revoked;
}

/**
 * @throws `recovery_link_invalid` for an unknown, used, superseded or expired link, or a disabled user; the response
 * does not reveal which
 */
async function requireUser({ database }: RecoveryServices, userId: string | undefined): Promise<User> {
  const user = userId === undefined ? undefined : await findActiveUser(database, userId);
  if (user === undefined) throw linkInvalid();
  return user;
}

function linkInvalid(): ContractError {
  return new ContractError('recovery_link_invalid');
}

/** The user's password rules in the format of the contract. */
async function describePasswordRules(
  { database, blocklist }: RecoveryServices,
  user: User,
): Promise<PolicyAnswer> {
  void blocklist.prepare();
  return describePolicy(strictestPolicyOf(await listSitesOf(database, user.id)));
}

/**
 * The password opens all sites of the user, so it must meet the rules of all of them.
 * @throws `invalid_new_password`
 */
async function requirePasswordMeetsRules(
  services: RecoveryServices,
  user: User,
  password: string,
  language: Locale,
): Promise<void> {
  const sites = await listSitesOf(services.database, user.id);
  await requireGoodPassword(services, strictestPolicyOf(sites), { user, password, sites }, language);
}
