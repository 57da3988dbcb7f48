import type { Clock } from '../lib/clock.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import type { Database } from './schema.ts';

/** The dependencies of a store. `keyRing` computes the keyed hashes that tables contain instead of secrets. */
export type StoreContext = { database: Database; clock: Clock; random: Random; keyRing: KeyRing };
