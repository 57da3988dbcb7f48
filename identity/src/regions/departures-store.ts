import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash, keyedHashes } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Database } from '../store/schema.ts';
import { tokenSeconds } from './signed-tokens.ts';

/** A user who is leaving for a site in another region. */
export type Departure = {
  region: string;
  personId: string;
  browserId: string;
  site: string;
  /** The id of the hand-over, shared by both regions. */
  linkId: string;
  /** The page of the application that the visitor requested. */
  targetLink: string | undefined;
};

type Needed = { database: Database; clock: Clock; keyRing: KeyRing };

const bound = (request: string): string => `departure ${request}`;

export async function storeDeparture(
  { database, clock, keyRing }: Needed,
  request: string,
  departure: Departure,
): Promise<void> {
  const now = clock.now();
  await database
    .insertInto('region_departures')
    .values({
      request_hash: keyedHash(keyRing, bound(request)),
      region: departure.region,
      person_id: departure.personId,
      browser_id: departure.browserId,
      site: departure.site,
      link_id: departure.linkId,
      target_link: departure.targetLink,
      created_at: now,
      expires_at: addSeconds(now, tokenSeconds),
    })
    .execute();
}

/** Consumes the departure with this id, for the same user and browser. Succeeds once. */
export async function takeDeparture(
  { database, clock, keyRing }: Needed,
  request: string,
  by: { personId: string; browserId: string },
): Promise<Departure | undefined> {
  const row = await database
    .updateTable('region_departures')
    .set({ consumed_at: clock.now() })
    .where('request_hash', 'in', keyedHashes(keyRing, bound(request)))
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
      browserId: row.browser_id,
      site: row.site,
      linkId: row.link_id,
      targetLink: row.target_link ?? undefined,
    }
  );
}
