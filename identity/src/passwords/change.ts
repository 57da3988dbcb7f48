import type { Database, DatabaseTransaction } from '../store/schema.ts';
import type { Passwords } from './passwords.ts';
import type { Blocklist } from './policy-blocklist.ts';
import { findBrokenRule } from './policy-rules.ts';
import type { BrokenRule } from './policy-rules.ts';
import type { PasswordPolicy } from './policy.ts';

export type NewPassword = {
  user: {
    id: string;
    userName: string;
    email: string | undefined;
    /** Absent if the user has no password yet. */
    passwordHash: string | undefined;
  };
  password: string;
  /** The sites that the password opens. */
  sites: readonly { name: string; displayName: string }[];
};

/**
 * The first rule that a new password breaks. `notReused` comes last, because it costs a hash for each previous
 * password.
 * @throws `overloaded` if the hash queue is full
 */
export async function findBrokenRuleOfNew(
  dependencies: { database: Database; passwords: Passwords; blocklist: Blocklist },
  policy: PasswordPolicy,
  { user: { id, userName, email, passwordHash }, password, sites }: NewPassword,
): Promise<BrokenRule | undefined> {
  const { database, passwords, blocklist } = dependencies;
  const names = {
    user: email === undefined ? [userName] : [userName, email],
    site: sites.flatMap(({ name, displayName }) => [name, displayName]),
  };
  const broken = await findBrokenRule(policy, password, names, blocklist);
  if (broken !== undefined || policy.previous === 0) return broken;
  const previous = await findPreviousHashes(database, id, policy.previous);
  for (const hash of passwordHash ? [passwordHash, ...previous] : previous) {
    if (await passwords.matches(password, hash)) return { rule: 'notReused', count: 0 };
  }
  return undefined;
}

/** The hashes of previous passwords, the latest first. */
export async function findPreviousHashes(
  database: Database | DatabaseTransaction,
  userId: string,
  count: number,
): Promise<string[]> {
  if (count === 0) return [];
  const rows = await database
    .selectFrom('previous_passwords')
    .select('password_hash')
    .where('user_id', '=', userId)
    .orderBy('replaced_at', 'desc')
    .limit(count)
    .execute();
  return rows.map((row) => row.password_hash);
}

/** The largest number of previous passwords that a site's policy can forbid. */
const keptPasswords = 24;

/**
 * Replaces the hash if it is still `presentHash`, in one conditional statement. Returns false if a parallel change was
 * faster. The old hash is stored for the rule `notReused`. With `mustChange`, the user must change the new password at
 * the next sign-in.
 */
export async function replaceHash(
  transaction: DatabaseTransaction,
  change: { userId: string; presentHash: string; newHash: string; mustChange?: boolean },
  now: Date,
): Promise<boolean> {
  const { userId, presentHash, newHash, mustChange = false } = change;
  const replaced = await transaction
    .updateTable('credentials')
    .set({ password_hash: newHash, must_change: mustChange, changed_at: now })
    .where('user_id', '=', userId)
    .where('password_hash', '=', presentHash)
    .returning('user_id')
    .executeTakeFirst();
  if (replaced === undefined) return false;
  await transaction
    .insertInto('previous_passwords')
    .values({ user_id: userId, password_hash: presentHash, replaced_at: now })
    .execute();
  await transaction
    .deleteFrom('previous_passwords')
    .where('user_id', '=', userId)
    .where('replaced_at', '<', (query) =>
      query
        .selectFrom('previous_passwords')
        .select('replaced_at')
        .where('user_id', '=', userId)
        .orderBy('replaced_at', 'desc')
        .offset(keptPasswords - 1)
        .limit(1),
    )
    .execute();
  return true;
}
