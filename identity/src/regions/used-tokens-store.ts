import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { Keys } from '../lib/keys.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { clockToleranceSeconds, HandOverRefused, tokenSeconds } from './signed-tokens.ts';
import type { VerifiedToken } from './signed-tokens.ts';

/** How long a used token is stored: its lifetime, the clock tolerance in both directions, and a margin. */
const keepSeconds = tokenSeconds + 4 * clockToleranceSeconds;

type Needed = {
  database: Database | DatabaseTransaction;
  clock: Clock;
  keys: Pick<Keys, 'oneTimeSecrets'>;
};

/**
 * Records the use of a token. Relies on a single insert, so it also detects concurrent use.
 * @throws HandOverRefused if the token was already used on any node
 */
export async function requireFirstUse(needed: Needed, { region, jti }: VerifiedToken): Promise<void> {
  if ((await noteOnce(needed, [`region word ${region} ${jti}`])) === 0)
    throw new HandOverRefused('the token was used before');
}

/**
 * Records the start of a handed-over session, unless the other region has already reported its end under the same key.
 * Returns false if it has. A notice that arrives during this transaction waits for its commit and then finds the link.
 */
export async function recordStart(
  needed: Needed,
  { region, id }: { region: string; id: string },
): Promise<boolean> {
  return (await noteOnce(needed, [linkText(region, id)])) === 1;
}

/** Records that sessions have ended, as reported by the region. Call it before looking up their links. */
export async function recordEnds(needed: Needed, region: string, ids: ReadonlySet<string>): Promise<void> {
  // Uses a fixed order, so that two notices with the same sessions cannot deadlock.
  await noteOnce(
    needed,
    [...ids].toSorted().map((id) => linkText(region, id)),
  );
}

const linkText = (region: string, id: string): string => `region link ${region} ${id}`;

/** Returns how many of the texts were not recorded before. */
async function noteOnce({ database, clock, keys }: Needed, texts: readonly string[]): Promise<number> {
  if (texts.length === 0) return 0;
  const noted = await database
    .insertInto('used_region_tokens')
    .values(
      texts.map((text) => ({
        id_hash: keyedHash(keys.oneTimeSecrets, text),
        expires_at: addSeconds(clock.now(), keepSeconds),
      })),
    )
    .onConflict((conflict) => conflict.column('id_hash').doNothing())
    .returning('id_hash')
    .execute();
  return noted.length;
}
