import type { Generated, JSONColumnType } from 'kysely';
import type { Moment, Optional, OptionalMoment } from './columns.ts';

// Tables of company sign-on, as the migrations make them (`schema.ts` has them all).

/** A way to sign in at another organisation's identity provider. */
export type ConnectionsTable = {
  id: string;
  /** What operators call it: lower case, in addresses and commands. */
  name: string;
  display_name: string;
  kind: 'saml' | 'openid';
  /** Its shape is `enterprise/connection.ts`'s. */
  settings: JSONColumnType<Record<string, unknown>>;
  /** An OpenID client's secret, or the keys that decrypt a SAML provider's assertions; encrypted (`lib/sealed.ts`). */
  secret_sealed: Optional<string>;
  /** Whether somebody whom nobody has invited becomes a person at their first arrival. */
  provisioning: Generated<'none' | 'just_in_time'>;
  disabled_at: OptionalMoment;
  /** When the provider's metadata was last read from its address and could be used. */
  metadata_read_at: OptionalMoment;
  created_at: Moment;
  updated_at: Moment;
};

/** E-mail domains, lower case, whose people sign in over a connection; one domain is one organisation's. */
export type ConnectionDomainsTable = { domain: string; connection_id: string };

/** Who somebody is at a provider. The subject alone counts: an e-mail address may be given to somebody else. */
export type ExternalIdentitiesTable = {
  connection_id: string;
  subject: string;
  person_id: string;
  created_at: Moment;
  last_used_at: Moment;
};

/** One trip to a provider, until it is back. */
export type ExternalRequestsTable = {
  /** Keyed hash of the request's id (SAML) or state (OpenID). */
  id_hash: string;
  connection_id: string;
  /** The sign-in that it is made for, and the browser that it was made in. */
  uid: string;
  browser_id: string;
  site_id: Optional<string>;
  force_authentication: Generated<boolean>;
  /** What the answer is checked with: nonce, code verifier, request id. */
  secrets: JSONColumnType<Record<string, string>>;
  /** What the provider said, between its cross-site post and the browser's own visit. */
  proof: JSONColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  ticket_hash: Optional<string>;
  created_at: Moment;
  expires_at: Moment;
  proved_at: OptionalMoment;
  consumed_at: OptionalMoment;
};

/** Assertions that have been used, for as long as they would be good. */
export type UsedAssertionsTable = { id_hash: string; expires_at: Moment };

/** What a provider calls a browser's session with us, so that it can end it. */
export type ExternalSessionsTable = {
  browser_id: string;
  connection_id: string;
  subject: string;
  session_index: Optional<string>;
  subject_qualifiers: JSONColumnType<('NameQualifier' | 'SPNameQualifier')[], string | undefined, string>;
  person_id: string;
  /** The OpenID provider's session that stands on it, once an application has asked. */
  provider_session_uid: Optional<string>;
  /** The ID token that a sign-out there is asked with, encrypted (`lib/sealed.ts`). */
  id_token_sealed: Optional<string>;
  created_at: Moment;
};
