import type { Generated } from 'kysely';
import type { Moment, Optional, OptionalMoment } from './columns.ts';

// Tables of the hand-over between regions, as the migrations make them (`schema.ts` has them all).

/** Somebody who leaves for another region, until they are handed over. */
export type RegionDeparturesTable = {
  /** Keyed hash of the request that the other region has opened. */
  request_hash: string;
  /** The other region's address. */
  region: string;
  person_id: string;
  /** The browser that they leave in; no other one may go on with it. */
  browser_id: string;
  /** The site's name. */
  site: string;
  link_id: string;
  /** The page of the application that they set out for. */
  target_link: Optional<string>;
  created_at: Moment;
  expires_at: Moment;
  consumed_at: OptionalMoment;
};

/** Somebody who is expected from another region. */
export type RegionArrivalsTable = {
  request_hash: string;
  region: string;
  person_id: string;
  site_id: string;
  client_id: string;
  /** The first browser that came with the request; no other one may go on with it. */
  browser_id: Optional<string>;
  created_at: Moment;
  expires_at: Moment;
  consumed_at: OptionalMoment;
};

/** What other regions have signed and was used, for as long as it would be good. */
export type UsedRegionTokensTable = { id_hash: string; expires_at: Moment };

/** A hand-over that was made: both regions' sessions end together. */
export type RegionLinksTable = {
  /** What both regions call it. */
  link_id: string;
  region: string;
  /** Whether the person was handed over to that region, or came from it. */
  direction: 'to' | 'from';
  person_id: string;
  browser_id: string;
  created_at: Moment;
  expires_at: Moment;
  ended_at: OptionalMoment;
  /** When the other region knew. */
  told_at: OptionalMoment;
  attempts: Generated<number>;
  next_attempt_at: OptionalMoment;
};
