import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import { tokenPattern } from '../lib/random.ts';
import type { Random } from '../lib/random.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { tokenSeconds } from './signed-tokens.ts';

/** A user whom another region has announced for a hand-over. */
export type Arrival = { region: string; personId: string; siteId: string; clientId: string };

type Needed = { database: Database | DatabaseTransaction; clock: Clock; keyRing: KeyRing };

const bound = (request: string): string => `arrival ${request}`;

/** Stores an arrival, which expires by this region's clock, and returns its id. Only a hash of the id is stored. */
export async function openArrival(
  { database, clock, keyRing, random }: Needed & { random: Random },
  arrival: Arrival,
): Promise<string> {
  const request = random.token();
  const now = clock.now();
  await database
    .insertInto('region_arrivals')
    .values({
      request_hash: keyedHash(keyRing, bound(request)),
      region: arrival.region,
      person_id: arrival.personId,
      site_id: arrival.siteId,
      client_id: arrival.clientId,
      created_at: now,
      expires_at: addSeconds(now, tokenSeconds),
    })
    .execute();
  return request;
}

/** Binds the arrival to the first browser that presents its id, and returns the region that announced it. The same browser can repeat the call. */
export async function bindArrival(
  { database, clock, keyRing }: Needed,
  request: unknown,
  browserId: string,
): Promise<string | undefined> {
  if (typeof request !== 'string' || !tokenPattern.test(request)) return undefined;
  const row = await database
    .updateTable('region_arrivals')
    .set({ browser_id: browserId })
    .where('request_hash', 'in', keyedHashes(keyRing, bound(request)))
    .where((where) => where.or([where('browser_id', 'is', null), where('browser_id', '=', browserId)]))
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returning('region')
    .executeTakeFirst();
  return row?.region;
}

/** Consumes the arrival with this id, for the same region, user and browser. Succeeds once. */
export async function takeArrival(
  { database, clock, keyRing }: Needed,
  request: unknown,
  by: { region: string; personId: string; browserId: string },
): Promise<Arrival | undefined> {
  if (typeof request !== 'string' || !tokenPattern.test(request)) return undefined;
  const row = await database
    .updateTable('region_arrivals')
    .set({ consumed_at: clock.now() })
    .where('request_hash', 'in', keyedHashes(keyRing, bound(request)))
    .where('region', '=', by.region)
    .where('person_id', '=', by.personId)
    .where('browser_id', '=', by.browserId)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returningAll()
    .executeTakeFirst();
  return (
    row && {
      region: row.region,
      personId: row.person_id,
      siteId: row.site_id,
      clientId: row.client_id,
    }
  );
}
