import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';

type Needed = { clock: Clock; random: Random; keys: { oneTimeSecrets: KeyRing } };

/**
 * How long a user can undo a change: a week, because such e-mails are often read late. The link is weaker than a
 * recovery link: it locks the account and sends a recovery link, and grants no access by itself.
 */
export const refusalValidityDays = 7;

// a prefix separates these hashes from those of other secrets with the same keys
const hashed = (token: string): string => `refusal link ${token}`;

/** Creates the token for an e-mail about a change, in the transaction of the change. */
export async function issueRefusalLink(
  { clock, random, keys }: Needed,
  transaction: DatabaseTransaction,
  userId: string,
): Promise<string> {
  const token = random.token();
  await transaction
    .insertInto('refusal_links')
    .values({
      token_hash: keyedHash(keys.oneTimeSecrets, hashed(token)),
      user_id: userId,
      expires_at: addSeconds(clock.now(), refusalValidityDays * 24 * 60 * 60),
    })
    .execute();
  return token;
}

/** Finds the account of a valid token, without consuming it. */
export async function findRefusal(
  { clock, keys }: Needed,
  database: Database | DatabaseTransaction,
  token: string,
): Promise<string | undefined> {
  const row = await database
    .selectFrom('refusal_links')
    .select('user_id')
    .where('token_hash', 'in', keyedHashes(keys.oneTimeSecrets, hashed(token)))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return row?.user_id;
}

/** Deletes all links of the users, because one used link reverts all earlier changes. */
export async function deleteRefusals(
  transaction: DatabaseTransaction,
  userIds: readonly string[],
): Promise<void> {
  await transaction.deleteFrom('refusal_links').where('user_id', 'in', userIds).execute();
}
