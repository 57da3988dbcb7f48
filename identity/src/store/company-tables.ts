import type { Generated, JSONColumnType } from 'kysely';
import type { Moment, Optional, OptionalMoment } from './columns.ts';

// Tables of company sign-in, as created by the migrations (`schema.ts` has all tables).

/** A connection to another organisation's identity provider. */
export type ConnectionsTable = {
  id: string;
  /** The operator's name for the connection: lower case, used in URLs and commands. */
  name: string;
  display_name: string;
  kind: 'saml' | 'openid';
  /** Parsed by `enterprise/connection.ts`. */
  settings: JSONColumnType<Record<string, unknown>>;
  /** An OpenID client's secret, or the keys that decrypt a SAML provider's assertions; encrypted (`lib/sealed.ts`). */
  secret_sealed: Optional<string>;
  /** When an operator changed it; null: not since this column exists. */
  secret_changed_at: OptionalMoment;
  /** Whether an unknown user gets an account at the first sign-in. */
  provisioning: Generated<'none' | 'just_in_time'>;
  disabled_at: OptionalMoment;
  /** When usable metadata was last read from the provider's URL. */
  metadata_read_at: OptionalMoment;
  created_at: Moment;
  updated_at: Moment;
};

/** E-mail domains (lower case) whose users sign in through a connection. A domain belongs to one organisation. */
export type ConnectionDomainsTable = { domain: string; connection_id: string };

/** The account of a user at a provider. Only the subject identifies the user: an e-mail address may be reassigned. */
export type ExternalIdentitiesTable = {
  connection_id: string;
  subject: string;
  user_id: string;
  created_at: Moment;
  last_used_at: Moment;
};

/** A pending request to a provider. */
export type ExternalRequestsTable = {
  /** The keyed hash of the request's id (SAML) or state (OpenID). */
  id_hash: string;
  connection_id: string;
  /** The sign-in and the browser of the request. */
  uid: string;
  browser_id: string;
  site_id: Optional<string>;
  force_authentication: Generated<boolean>;
  /** The values for checking the response: nonce, code verifier, request id. */
  secrets: JSONColumnType<Record<string, string>>;
  /** The proof, between the provider's cross-site post and the browser's next request. */
  proof: JSONColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  ticket_hash: Optional<string>;
  created_at: Moment;
  expires_at: Moment;
  proved_at: OptionalMoment;
  consumed_at: OptionalMoment;
};

/** Used assertions, for as long as they would be valid. */
export type UsedAssertionsTable = { id_hash: string; expires_at: Moment };

/** A provider's identifiers for a browser's session in this service, so that the provider can end it. */
export type ExternalSessionsTable = {
  browser_id: string;
  connection_id: string;
  subject: string;
  session_index: Optional<string>;
  subject_qualifiers: JSONColumnType<('NameQualifier' | 'SPNameQualifier')[], string | undefined, string>;
  user_id: string;
  /**
   * The session of this service's OpenID provider that depends on the external session, once a client has requested
   * one.
   */
  provider_session_uid: Optional<string>;
  /** The ID token for a sign-out at the provider, encrypted (`lib/sealed.ts`). */
  id_token_sealed: Optional<string>;
  created_at: Moment;
};
