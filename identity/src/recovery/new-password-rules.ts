import type { Locale, PasswordPolicy as PolicyAnswer } from '@anteroom/contract';
import { describePolicy } from '../passwords/policy.ts';
import type { Person } from '../users/users-store.ts';
import { requireGoodPassword } from '../sign-in/require-good-password.ts';
import { listSitesOf } from './own-sites.ts';
import type { RecoveryServices } from './recovery-services.ts';
import { strictestPolicyOf } from './strictest-policy.ts';

/** The rules of a person's new password, as the wire tells them. */
export async function describeRulesFor(
  { database, blocklist }: RecoveryServices,
  person: Person,
): Promise<PolicyAnswer> {
  void blocklist.prepare();
  return describePolicy(strictestPolicyOf(await listSitesOf(database, person.id)));
}

/** @throws `invalid_new_password`: the password opens each site of the person, so it keeps the rules of them all. */
export async function requireGoodPasswordFor(
  services: RecoveryServices,
  person: Person,
  password: string,
  language: Locale,
): Promise<void> {
  const sites = await listSitesOf(services.database, person.id);
  await requireGoodPassword(services, strictestPolicyOf(sites), { person, password, sites }, language);
}
