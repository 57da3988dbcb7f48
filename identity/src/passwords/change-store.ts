import type { Database, DatabaseTransaction } from '../store/schema.ts';

/** The hashes of the passwords before the present one, the latest first. */
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

/** More are not kept, whatever a site's policy asks for later. */
const keptPasswords = 24;

/**
 * Puts the new hash in the place of `presentHash`, in one conditional statement: of parallel changes one wins, and false says
 * that the other did. The one before is kept for `notReused`. `mustChange`: this one
 * must be changed at the next sign-in.
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
