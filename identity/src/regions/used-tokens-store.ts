import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { clockToleranceSeconds, tokenSeconds } from './signed-tokens.ts';
import type { VerifiedToken } from './signed-tokens.ts';

/** Covers the lifetime of a token with the clock tolerance in both directions, and a margin. */
const keepSeconds = tokenSeconds + 4 * clockToleranceSeconds;

type Needed = { clock: Clock; keyRing: KeyRing };

/** Records the use of a token. Returns false if it was already used on any node: a single insert decides. */
export async function recordUse(
  database: Database | DatabaseTransaction,
  needed: Needed,
  { region, jti }: VerifiedToken,
): Promise<boolean> {
  return (await noteOnce(database, needed, [`region word ${region} ${jti}`])) === 1;
}

/**
 * Records the start of a handed-over session, unless its end is already recorded under the same key. Returns
 * false if the session has ended. A notice that arrives during this transaction waits for it and then finds the link.
 */
export async function recordStart(
  transaction: DatabaseTransaction,
  needed: Needed,
  { region, id }: { region: string; id: string },
): Promise<boolean> {
  return (await noteOnce(transaction, needed, [linkText(region, id)])) === 1;
}

/** Records reported ends. Call it before looking for the links. */
export async function recordEnds(
  transaction: DatabaseTransaction,
  needed: Needed,
  region: string,
  ids: ReadonlySet<string>,
): Promise<void> {
  // in a fixed order, so that two notices with the same ends cannot deadlock
  await noteOnce(
    transaction,
    needed,
    [...ids].toSorted().map((id) => linkText(region, id)),
  );
}

const linkText = (region: string, id: string): string => `region link ${region} ${id}`;

/** Returns how many of the texts were not recorded before. */
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
