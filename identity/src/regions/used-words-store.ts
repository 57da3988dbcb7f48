import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { clockToleranceSeconds, wordSeconds } from './signed-words.ts';
import type { HeardWord } from './signed-words.ts';

/** Longer than any clock lets a word be good, and then some. */
const keepSeconds = wordSeconds + 4 * clockToleranceSeconds;

type Needed = { clock: Clock; keyRing: KeyRing };

/** Notes that a word was used; false when it was already, on whatever node: one insert decides. */
export async function noteUse(
  database: Database | DatabaseTransaction,
  needed: Needed,
  { region, jti }: HeardWord,
): Promise<boolean> {
  return (await noteOnce(database, needed, [`region word ${region} ${jti}`])) === 1;
}

/**
 * A hand-over begins a session here, or has ended over there before it could: whichever is noted first counts. False when it has ended
 * already. An end that is told while a session begins waits for that transaction, and then finds its link.
 */
export async function noteBeginning(
  transaction: DatabaseTransaction,
  needed: Needed,
  { region, id }: { region: string; id: string },
): Promise<boolean> {
  return (await noteOnce(transaction, needed, [linkText(region, id)])) === 1;
}

/** The other side of it; to be noted before the links are looked for. */
export async function noteEnds(
  transaction: DatabaseTransaction,
  needed: Needed,
  region: string,
  ids: ReadonlySet<string>,
): Promise<void> {
  // always in the same order, so that two notices of the same ends never wait for each other
  await noteOnce(
    transaction,
    needed,
    [...ids].toSorted().map((id) => linkText(region, id)),
  );
}

const linkText = (region: string, id: string): string => `region link ${region} ${id}`;

/** How many of them nobody has noted before. */
async function noteOnce(
  database: Database | DatabaseTransaction,
  { clock, keyRing }: Needed,
  texts: readonly string[],
): Promise<number> {
  if (texts.length === 0) return 0;
  const noted = await database
    .insertInto('used_region_tokens')
    .values(
      texts.map((text) => ({
        id_hash: keyedHash(keyRing, text),
        expires_at: addSeconds(clock.now(), keepSeconds),
      })),
    )
    .onConflict((conflict) => conflict.column('id_hash').doNothing())
    .returning('id_hash')
    .execute();
  return noted.length;
}
