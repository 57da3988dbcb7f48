import type { Locale } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import { passwordRuleText } from '../texts/catalogue.ts';
import { findBrokenRuleOfNew } from '../passwords/change.ts';
import type { NewPassword } from '../passwords/change.ts';
import type { PasswordPolicy } from '../passwords/policy.ts';
import type { Person } from '../users/users-store.ts';

/**
 * @throws `invalid_new_password` if the password breaks a rule of the policy, with the rule and its text in the
 * visitor's language (NIST SP 800-63B-4, 3.1.1.2)
 */
export async function requireGoodPassword(
  services: Parameters<typeof findBrokenRuleOfNew>[0],
  policy: PasswordPolicy,
  { person, password, sites }: { person: Person; password: string; sites: readonly SiteNames[] },
  language: Locale,
): Promise<void> {
  const { id, userName, email, passwordHash } = person;
  const attempt: NewPassword = {
    personId: id,
    presentHash: passwordHash,
    password,
    names: {
      person: email === undefined ? [userName] : [userName, email],
      site: sites.flatMap(({ name, displayName }) => [name, displayName]),
    },
  };
  const broken = await findBrokenRuleOfNew(services, policy, attempt);
  if (broken === undefined) return;
  throw new ContractError('invalid_new_password', {
    description: passwordRuleText(language, broken.rule, broken.count),
    policyLine: broken.rule,
    detail: broken.rule,
  });
}

type SiteNames = { name: string; displayName: string };
