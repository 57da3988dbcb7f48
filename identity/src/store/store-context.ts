import type { Clock } from '../lib/clock.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import type { Database } from './schema.ts';

/** What stores are created with. `keyRing` hashes the secrets of which a table has only hashes. */
export type StoreContext = { database: Database; clock: Clock; random: Random; keyRing: KeyRing };
