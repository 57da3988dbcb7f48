import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { Keys } from '../lib/keys.ts';
import { tokenPattern } from '../lib/random.ts';
import type { Random } from '../lib/random.ts';
import type { Database, DatabaseTransaction } from '../store/schema.ts';
import { tokenSeconds } from './signed-tokens.ts';

// Stores the requests of hand-overs in both directions. Each request is accepted once.

type Needed = {
  database: Database | DatabaseTransaction;
  clock: Clock;
  keys: Pick<Keys, 'oneTimeSecrets'>;
};

/** A user whom this region hands over to another region for a site there. */
export type Departure = {
  region: string;
  userId: string;
  browserId: string;
  site: string;
  /** The id of the hand-over, shared by both regions. */
  linkId: string;
  /** The page of the application that the visitor requested. */
  targetLink: string | undefined;
};

const departureText = (request: string): string => `departure ${request}`;

export async function storeDeparture(
  { database, clock, keys }: Needed,
  request: string,
  departure: Departure,
): Promise<void> {
  const now = clock.now();
  await database
    .insertInto('region_departures')
    .values({
      request_hash: keyedHash(keys.oneTimeSecrets, departureText(request)),
      region: departure.region,
      user_id: departure.userId,
      browser_id: departure.browserId,
      site: departure.site,
      link_id: departure.linkId,
      target_link: departure.targetLink,
      created_at: now,
      expires_at: addSeconds(now, tokenSeconds),
    })
    .execute();
}

/** Consumes the departure with this id if user and browser match. Succeeds once. */
export async function takeDeparture(
  { database, clock, keys }: Needed,
  request: string,
  by: { userId: string; browserId: string },
): Promise<Departure | undefined> {
  const now = clock.now();
  const row = await database
    .updateTable('region_departures')
    .set({ consumed_at: now })
    .where('request_hash', 'in', keyedHashes(keys.oneTimeSecrets, departureText(request)))
    .where('user_id', '=', by.userId)
    .where('browser_id', '=', by.browserId)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return (
    row && {
      region: row.region,
      userId: row.user_id,
      browserId: row.browser_id,
      site: row.site,
      linkId: row.link_id,
      targetLink: row.target_link ?? undefined,
    }
  );
}

/** A user whom another region has announced for a hand-over. */
export type Arrival = { region: string; userId: string; siteId: string; clientId: string };

const arrivalText = (request: string): string => `arrival ${request}`;

/** Stores an arrival, which expires by this region's clock, and returns its id. Only a hash of the id is stored. */
export async function openArrival(
  { database, clock, keys, random }: Needed & { random: Random },
  arrival: Arrival,
): Promise<string> {
  const request = random.token();
  const now = clock.now();
  await database
    .insertInto('region_arrivals')
    .values({
      request_hash: keyedHash(keys.oneTimeSecrets, arrivalText(request)),
      region: arrival.region,
      user_id: arrival.userId,
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
  { database, clock, keys }: Needed,
  request: unknown,
  browserId: string,
): Promise<string | undefined> {
  if (typeof request !== 'string' || !tokenPattern.test(request)) return undefined;
  const row = await database
    .updateTable('region_arrivals')
    .set({ browser_id: browserId })
    .where('request_hash', 'in', keyedHashes(keys.oneTimeSecrets, arrivalText(request)))
    .where((where) => where.or([where('browser_id', 'is', null), where('browser_id', '=', browserId)]))
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .returning('region')
    .executeTakeFirst();
  return row?.region;
}

/** Consumes the arrival with this id if region, user and browser match. Succeeds once. */
export async function takeArrival(
  { database, clock, keys }: Needed,
  request: unknown,
  by: { region: string; userId: string; browserId: string },
): Promise<Arrival | undefined> {
  if (typeof request !== 'string' || !tokenPattern.test(request)) return undefined;
  const now = clock.now();
  const row = await database
    .updateTable('region_arrivals')
    .set({ consumed_at: now })
    .where('request_hash', 'in', keyedHashes(keys.oneTimeSecrets, arrivalText(request)))
    .where('region', '=', by.region)
    .where('user_id', '=', by.userId)
    .where('browser_id', '=', by.browserId)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return (
    row && {
      region: row.region,
      userId: row.user_id,
      siteId: row.site_id,
      clientId: row.client_id,
    }
  );
}
