import type { Locale } from '@anteroom/contract';
import { revokeAccessUnlessChanged } from '../sign-out/end-sessions.ts';
import type { RevokedAccess } from '../sign-out/end-sessions.ts';
import { normalisePassword } from '../passwords/passwords.ts';
import { replaceHash, findBrokenRuleOfNew } from '../passwords/change.ts';
import type { User } from '../users/users-store.ts';
import type { Services } from '../services.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import { ContractError } from '../http/errors.ts';
import { passwordRuleText } from '../texts/catalogue.ts';
import type { NewPassword } from '../passwords/change.ts';
import type { PasswordPolicy } from '../passwords/policy.ts';
import { queueAccountMail } from './account-mail.ts';

type Change = {
  /** The user as read before the verification. */
  user: Pick<User, 'id' | 'userName' | 'email' | 'passwordHash' | 'securityVersion'>;
  newHash: string;
  /** The language of the mail to the user. */
  language: Locale;
  /** The display name of the browser; undefined if unknown, and for a change by an operator. */
  browser?: string | undefined;
  mustChange?: boolean;
  /** The session that the caller renews in the same transaction. */
  keptSessionIdHash?: string | undefined;
};

/**
 * Replaces the password, revokes all access that the old one gave, and queues a mail to the user (NIST SP 800-63B-4,
 * 4.2.3). Every password change uses this function. Returns undefined if another account change came first; the caller
 * must then roll the transaction back. After the commit, call `notices.sendDue` and `notifyApplications`.
 */
export async function replacePassword(
  services: Pick<Services, 'clock' | 'config' | 'keys' | 'notices' | 'random' | 'factors'>,
  transaction: DatabaseTransaction,
  { user, newHash, language, browser, mustChange, keptSessionIdHash }: Change,
): Promise<RevokedAccess | undefined> {
  const now = services.clock.now();
  // Comes first, because it locks the row of the account.
  const revoked = await revokeAccessUnlessChanged(services, transaction, user, keptSessionIdHash);
  if (revoked === undefined) return undefined;
  const hashes = { userId: user.id, presentHash: user.passwordHash ?? '', newHash };
  if (!(await replaceHash(transaction, { ...hashes, ...(mustChange !== undefined && { mustChange }) }, now)))
    return undefined;
  await queueAccountMail(services, transaction, user, 'password', { language, browser });
  return revoked;
}

/** @throws `passwords_do_not_match` if the confirmation is another password */
export function requireSamePassword(body: { newPassword: string; newPasswordConfirmation: string }): void {
  if (normalisePassword(body.newPassword) !== normalisePassword(body.newPasswordConfirmation))
    throw new ContractError('passwords_do_not_match');
}

/**
 * @throws `invalid_new_password` if the password breaks a rule of the policy, with the rule and its text in the
 * visitor's language (NIST SP 800-63B-4, 3.1.1.2)
 */
export async function requireGoodPassword(
  services: Parameters<typeof findBrokenRuleOfNew>[0],
  policy: PasswordPolicy,
  newPassword: NewPassword,
  language: Locale,
): Promise<void> {
  const broken = await findBrokenRuleOfNew(services, policy, newPassword);
  if (broken === undefined) return;
  throw new ContractError('invalid_new_password', {
    description: passwordRuleText(language, broken.rule, broken.count),
    policyLine: broken.rule,
    detail: broken.rule,
  });
}
