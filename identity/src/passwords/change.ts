import type { Database } from '../store/schema.ts';
import { findPreviousHashes } from './change-store.ts';
import type { Passwords } from './passwords.ts';
import type { Blocklist } from './policy-blocklist.ts';
import { findBrokenRule } from './policy-rules.ts';
import type { BrokenRule, Names } from './policy-rules.ts';
import type { PasswordPolicy } from './policy.ts';

export type NewPassword = {
  personId: string;
  /** Absent if the user has no password yet. */
  presentHash: string | undefined;
  password: string;
  names: Names;
};

/**
 * The first rule that a new password breaks. `notReused` comes last, because it costs a hash for each previous
 * password.
 * @throws `overloaded` if the hash queue is full
 */
export async function findBrokenRuleOfNew(
  dependencies: { database: Database; passwords: Passwords; blocklist: Blocklist },
  policy: PasswordPolicy,
  { personId, presentHash, password, names }: NewPassword,
): Promise<BrokenRule | undefined> {
  const { database, passwords, blocklist } = dependencies;
  const broken = await findBrokenRule(policy, password, names, blocklist);
  if (broken !== undefined || policy.previous === 0) return broken;
  const previous = await findPreviousHashes(database, personId, policy.previous);
  for (const hash of presentHash ? [presentHash, ...previous] : previous) {
    if (await passwords.matches(password, hash)) return { rule: 'notReused', count: 0 };
  }
  return undefined;
}
