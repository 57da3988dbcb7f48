import type { Locale, PasswordPolicy as PolicyAnswer } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import { passwordRuleText } from '../messages/text-catalogue.ts';
import { findBrokenRuleOfNew } from '../passwords/change.ts';
import { describePolicy } from '../passwords/policy.ts';
import type { Person } from '../people/people-store.ts';
import { listSitesOf } from './own-sites.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { strictestPolicyOf } from './strictest-policy.ts';

/** The rules of a person's new password, as the wire tells them. */
export async function describeRulesFor(
  { database }: RecoveryServices,
  person: Person,
): Promise<PolicyAnswer> {
  return describePolicy(strictestPolicyOf(await listSitesOf(database, person.id)));
}

/** @throws `invalid_new_password`, with the reason in the visitor's language (NIST SP 800-63B-4, 3.1.1.2). */
export async function requireGoodPassword(
  services: RecoveryServices,
  { id, userName, email, passwordHash = '' }: Person,
  password: string,
  language: Locale,
): Promise<void> {
  const sites = await listSitesOf(services.database, id);
  const broken = await findBrokenRuleOfNew(services, strictestPolicyOf(sites), {
    personId: id,
    presentHash: passwordHash,
    password,
    names: {
      person: email === undefined ? [userName] : [userName, email],
      site: sites.flatMap(({ name, displayName }) => [name, displayName]),
    },
  });
  if (broken === undefined) return;
  throw new ContractError('invalid_new_password', {
    description: passwordRuleText(language, broken.rule, broken.count),
    detail: broken.rule,
  });
}
