import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { clockToleranceSeconds, wordSeconds } from './signed-words.ts';
import type { HeardWord } from './signed-words.ts';

/** Longer than any clock lets a word be good, and then some. */
const keepSeconds = wordSeconds + 4 * clockToleranceSeconds;

/** Notes that a word was used; false when it was already, on whatever node: one insert decides. */
export async function noteUse(
  database: Database | DatabaseTransaction,
  { clock, keyRing }: { clock: Clock; keyRing: KeyRing },
  { region, jti }: HeardWord,
): Promise<boolean> {
  const noted = await database
    .insertInto('used_region_tokens')
    .values({
      id_hash: keyedHash(keyRing, `region word ${region} ${jti}`),
      expires_at: addSeconds(clock.now(), keepSeconds),
    })
    .onConflict((conflict) => conflict.column('id_hash').doNothing())
    .returning('id_hash')
    .executeTakeFirst();
  return noted !== undefined;
}
