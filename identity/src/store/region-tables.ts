import type { Generated } from 'kysely';
import type { Moment, Optional, OptionalMoment } from './columns.ts';

// Tables of the hand-over between regions, as created by the migrations (`schema.ts` has all tables).

/** A user who is leaving for another region, until the hand-over. */
export type RegionDeparturesTable = {
  /** The keyed hash of the arrival's id in the other region. */
  request_hash: string;
  /** The URL of the other region. */
  region: string;
  user_id: string;
  /** The browser of the user; no other browser can continue. */
  browser_id: string;
  site: string;
  link_id: string;
  /** The page of the application that the visitor requested. */
  target_link: Optional<string>;
  created_at: Moment;
  expires_at: Moment;
  consumed_at: OptionalMoment;
};

/** A user announced by another region. */
export type RegionArrivalsTable = {
  request_hash: string;
  region: string;
  user_id: string;
  site_id: string;
  client_id: string;
  /** The first browser that presented the arrival; no other browser can continue. */
  browser_id: Optional<string>;
  created_at: Moment;
  expires_at: Moment;
  consumed_at: OptionalMoment;
};

/** Used tokens of other regions, for as long as they would be valid. */
export type UsedRegionTokensTable = { id_hash: string; expires_at: Moment };

/** A completed hand-over: the sessions in both regions end together. */
export type RegionLinksTable = {
  /** The id of the hand-over, shared by both regions. */
  link_id: string;
  region: string;
  /** Whether the user was handed over to that region, or came from it. */
  direction: 'to' | 'from';
  user_id: string;
  browser_id: string;
  created_at: Moment;
  expires_at: Moment;
  ended_at: OptionalMoment;
  /** When the other region was notified, or reported the end itself. */
  told_at: OptionalMoment;
  attempts: Generated<number>;
  next_attempt_at: OptionalMoment;
};
