import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

type Needed = { clock: Clock; random: Random; keys: { oneTimeSecrets: KeyRing } };

/**
 * How long a user has to refuse a change: a week, because mails about changes are read late. The link is weaker than a recovery link: it closes
 * the account and has a recovery link mailed, and opens nothing by itself.
 */
export const refusalValidityDays = 7;

// other secrets are hashed with the same keys: none of them fits here
const hashed = (token: string): string => `refusal link ${token}`;

/** Makes the token of a mail about a change, in the transaction of the change. */
export async function issueRefusalLink(
  { clock, random, keys }: Needed,
  transaction: DatabaseTransaction,
  personId: string,
): Promise<string> {
  const token = random.token();
  await transaction
    .insertInto('refusal_links')
    .values({
      token_hash: keyedHash(keys.oneTimeSecrets, hashed(token)),
      person_id: personId,
      expires_at: addSeconds(clock.now(), refusalValidityDays * 24 * 60 * 60),
    })
    .execute();
  return token;
}

/** Whose account a token closes, while it works. Nothing is used up. */
export async function findRefusal(
  { clock, keys }: Needed,
  database: Database | DatabaseTransaction,
  token: string,
): Promise<string | undefined> {
  const row = await database
    .selectFrom('refusal_links')
    .select('person_id')
    .where('token_hash', 'in', keyedHashes(keys.oneTimeSecrets, hashed(token)))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return row?.person_id;
}

/** Ends every link of the person: one use settles all changes before it. */
export async function deleteRefusals(
  transaction: DatabaseTransaction,
  personIds: readonly string[],
): Promise<void> {
  await transaction.deleteFrom('refusal_links').where('person_id', 'in', personIds).execute();
}

/** Deletes expired links; returns how many. */
export async function pruneRefusals(database: Database, now: Date): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('refusal_links')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
