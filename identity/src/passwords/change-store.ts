import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** The hashes of previous passwords, the latest first. */
export async function findPreviousHashes(
  database: Database | DatabaseTransaction,
  personId: string,
  count: number,
): Promise<string[]> {
  if (count === 0) return [];
  const rows = await database
    .selectFrom('previous_passwords')
    .select('password_hash')
    .where('person_id', '=', personId)
    .orderBy('replaced_at', 'desc')
    .limit(count)
    .execute();
  return rows.map((row) => row.password_hash);
}

/** The maximum for any site's policy. */
const keptPasswords = 24;

/**
 * Replaces the hash if it is still `presentHash`, in one conditional statement. Returns false if a parallel change was
 * faster. The old hash is kept for `notReused`. `mustChange`: the user must change the new password at the next
 * sign-in.
 */
export async function replaceHash(
  transaction: DatabaseTransaction,
  change: { personId: string; presentHash: string; newHash: string; mustChange?: boolean },
  now: Date,
): Promise<boolean> {
  const { personId, presentHash, newHash, mustChange = false } = change;
  const replaced = await transaction
    .updateTable('credentials')
    .set({ password_hash: newHash, must_change: mustChange, changed_at: now })
    .where('person_id', '=', personId)
    .where('password_hash', '=', presentHash)
    .returning('person_id')
    .executeTakeFirst();
  if (replaced === undefined) return false;
  await transaction
    .insertInto('previous_passwords')
    .values({ person_id: personId, password_hash: presentHash, replaced_at: now })
    .execute();
  await transaction
    .deleteFrom('previous_passwords')
    .where('person_id', '=', personId)
    .where('replaced_at', '<', (query) =>
      query
        .selectFrom('previous_passwords')
        .select('replaced_at')
        .where('person_id', '=', personId)
        .orderBy('replaced_at', 'desc')
        .offset(keptPasswords - 1)
        .limit(1),
    )
    .execute();
  return true;
}
