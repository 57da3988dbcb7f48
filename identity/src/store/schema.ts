import type { ColumnType, Generated, JSONColumnType, Kysely, Transaction } from 'kysely';
import type { Moment, Optional, OptionalMoment } from './columns.ts';
import type {
  ConnectionsTable,
  ConnectionDomainsTable,
  ExternalIdentitiesTable,
  ExternalRequestsTable,
  UsedAssertionsTable,
  ExternalSessionsTable,
} from './company-tables.ts';
import type {
  RegionDeparturesTable,
  RegionArrivalsTable,
  UsedRegionTokensTable,
  RegionLinksTable,
} from './region-tables.ts';

// The tables as the migrations make them. Each feature owns its table's queries; this file only says their shapes.
// Ids are random text, times are `timestamptz` and come from the injected clock, never from `now()`, so that
// tests can move them. A JSON column is written with `JSON.stringify`: `pg` would turn an array into a PostgreSQL array.

export type PersonStatus = 'active' | 'disabled';

/** A person who may sign in; what they type is looked up in `sign_in_names`. */
export type PeopleTable = {
  id: string;
  user_name: string;
  email: Optional<string>;
  first_name: string;
  last_name: string;
  /** The name the board system knows the person by; the user name where it is absent. */
  boards_user_name: Optional<string>;
  /** E.164; absent when second factor by SMS is not set up. */
  phone_number: Optional<string>;
  status: Generated<PersonStatus>;
  /** Whether the sites chosen last stand first on the list. */
  recent_sites_first: Generated<boolean>;
  /** Raised with each change of password, second factor or status; whatever was opened before counts for nothing after it. */
  security_version: Generated<number>;
  created_at: Moment;
  updated_at: Moment;
};

/** User names and sign-in e-mails share one name space, so that a name can never mean two people. */
export type SignInNamesTable = {
  /** `signInNameKey(name)`: NFKC, trimmed, case folded. */
  name_key: string;
  person_id: string;
};

export type CredentialsTable = {
  person_id: string;
  /** PHC string of argon2id. */
  password_hash: string;
  must_change: Generated<boolean>;
  changed_at: Moment;
};

export type SitesTable = {
  id: string;
  /** Lower case; what a visitor types, trimmed and case folded. */
  name: string;
  display_name: string;
  /** `displayNameKey(display_name)`; absent where the release before wrote the site. */
  display_name_key: Optional<string>;
  /** Visitors who have not signed in see the display name and the logo, and find the site by its display name. */
  listed: Generated<boolean>;
  parent_id: Optional<string>;
  sequence: Generated<number>;
  logo_path: Optional<string>;
  second_factor_required: Generated<boolean>;
  authenticator_apps: Generated<boolean>;
  /** Those that count where a second factor is required, separated by commas; absent: each of them. */
  second_factors: Optional<string>;
  allow_password_entry: Generated<boolean>;
  /** Base of the identity service that is the site's home; absent for this one. */
  identity_service_url: Optional<string>;
  /** How its people sign in elsewhere; absent where they have passwords alone. */
  connection_id: Optional<string>;
  /** A private computer may be remembered instead of asking for a code each time. */
  adaptive_second_factor: Generated<boolean>;
  /** The director application shows what awaits its users here. */
  director_to_dos_enabled: Generated<boolean>;
  /** What differs from the default policy; its shape is `passwords/policy.ts`'s. */
  password_policy: JSONColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  disabled_at: OptionalMoment;
  created_at: Moment;
};

export type MembershipsTable = {
  person_id: string;
  site_id: string;
  entitlement_requirements_met: Generated<boolean>;
  /** The label shown beside the site; `none` shows nothing. */
  client_entitlement: Generated<string>;
  /** When the person last chose the site on the list. */
  chosen_at: OptionalMoment;
  created_at: Moment;
};

/** What an application calls a person's part in a site, where it has a word of its own for it. */
export type ClientEntitlementsTable = {
  person_id: string;
  site_id: string;
  client_id: string;
  label: string;
};

export type LoginFlowCustomizations = {
  languageSelectionAndLinksDisabled: boolean;
  publicComputerSignInDisabled: boolean;
  signInCredentialsRecoveryDisabled: boolean;
  nestedUIEliminated: boolean;
};

export type ClientsTable = {
  id: string;
  display_name: string;
  /** Where "cancel" and "back to boards" lead. */
  cancel_uri: Optional<string>;
  /** The application's own start page. */
  home_uri: Optional<string>;
  customizations: JSONColumnType<LoginFlowCustomizations>;
  /** As for sites: both must allow it. */
  adaptive_second_factor: Generated<boolean>;
  /** The rest of the OpenID client metadata, as the provider takes it (redirect_uris, …). */
  metadata: JSONColumnType<Record<string, unknown>>;
  created_at: Moment;
};

export type SessionsTable = {
  /** Keyed hash of the cookie's value: the value itself is nowhere on the server. */
  id_hash: string;
  /** Stays the same when the id is replaced: what belongs to a browser is bound to this. */
  browser_id: string;
  person_id: Optional<string>;
  auth_site: Optional<string>;
  externally_authenticated: Generated<boolean>;
  /** The connection that an externally authenticated session came over. */
  connection_id: Optional<string>;
  /** The state of the account that the session began with (`people.security_version`). */
  security_version: Optional<number>;
  /** The OpenID provider's session that stands on this one, once an application has asked. */
  provider_session_uid: Optional<string>;
  /** The browser by a common name (`lib/browser-name.ts`); absent where it is not known. */
  browser: Optional<string>;
  /** Authentication methods by RFC 8176: `pwd`, `sms`, `otp`. */
  methods: JSONColumnType<string[]>;
  authenticated_at: OptionalMoment;
  created_at: Moment;
  last_seen_at: Moment;
  absolute_expires_at: Moment;
  ended_at: OptionalMoment;
};

/** One sign-in under way: one row for each interaction of the provider. */
export type SignInsTable = {
  uid: string;
  browser_id: string;
  client_id: string;
  prompt_method: Optional<string>;
  /** The original authorize parameters. */
  parameters: JSONColumnType<Record<string, string>>;
  /** The person that the sign-in is for at present. */
  person_id: Optional<string>;
  /** What that person has proved; its shape is `sign-ins/proofs.ts`'s. */
  proofs: JSONColumnType<Record<string, unknown>, string | undefined, string>;
  /** When a proof was recorded last. */
  advanced_at: OptionalMoment;
  /** Why the provider asked: the reasons of its prompt, such as `no_session`, `login_prompt`, `max_age`. */
  reasons: JSONColumnType<string[]>;
  /** An e-mail address that was looked up and whose domain leads to a provider. */
  external_hint: Optional<string>;
  finished_at: OptionalMoment;
  /** When the browser followed the address of the finished sign-in. Nothing can be proved in it from then on. */
  followed_at: OptionalMoment;
  /** Of a sign-in whose page is another region's: its address, and what it calls the sign-in. */
  region: Optional<string>;
  region_uid: Optional<string>;
  created_at: Moment;
  expires_at: Moment;
};

/** What the OpenID provider keeps, one row for each artefact. */
export type OpenidRecordsTable = {
  model: string;
  id: string;
  payload: JSONColumnType<Record<string, unknown>>;
  grant_id: Optional<string>;
  uid: Optional<string>;
  account_id: Optional<string>;
  consumed_at: OptionalMoment;
  expires_at: OptionalMoment;
};

/** A sign-out that an application asked for, until the person confirms it. */
export type SignOutsTable = {
  /** Fingerprint of the `logoutId`. */
  id: string;
  client_id: Optional<string>;
  /** The person whom the application named with an ID token of ours. */
  hint_person_id: Optional<string>;
  /** Registered for the client, `state` included. */
  post_logout_redirect_uri: Optional<string>;
  created_at: Moment;
  expires_at: Moment;
};

export type ErrorRecordsTable = {
  id: string;
  error: string;
  description: Optional<string>;
  data: JSONColumnType<Record<string, string>>;
  correlation_id: string;
  created_at: Moment;
  expires_at: Moment;
};

/** Counters of the limits; keys are keyed hashes, so the table names nobody. */
export type LimitsTable = {
  key: string;
  /** Failures one after the other, or what was used in the present window. */
  used: number;
  /** Nothing is let through before. */
  blocked_until: OptionalMoment;
  /** The window's end; the row may be forgotten after it. */
  expires_at: Moment;
};

/** What the service keeps for itself: keys made in development, the demo data's version. */
export type SettingsTable = {
  name: string;
  value: JSONColumnType<Record<string, unknown>>;
};

/** Messages that were not sent but kept, outside production alone. */
export type OutboxTable = {
  number: Generated<string>;
  id: string;
  kind: 'sms' | 'mail';
  recipient: string;
  subject: Optional<string>;
  text: string;
  html: Optional<string>;
  created_at: Moment;
};

/** Notices by mail that are still to be sent. The only secret in them is the token of a refusal link, which opens nothing. */
export type NoticesTable = {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: Optional<string>;
  attempts: Generated<number>;
  /** Put off with every try. */
  next_attempt_at: Moment;
  /** After this it is not tried again. */
  given_up_at: Moment;
};

/** Applications that are still to be told, server to server, that a session of theirs has ended. */
export type SignOutNoticesTable = {
  client_id: string;
  /** What the application knows the session by. */
  sid: string;
  person_id: string;
  attempts: Generated<number>;
  /** At once, and put off with every try. */
  next_attempt_at: ColumnType<Date, Date | undefined, Date>;
  /** From the first try on: after this it is not tried again. */
  given_up_at: Moment | null;
};

/** One code at a time for each thing that it is bound to; the code itself is nowhere on the server. */
export type OneTimeCodesTable = {
  purpose: string;
  /** What the code is good for and nothing else: the sign-in's uid. */
  bound_to: string;
  person_id: string;
  code_hash: string;
  /** How often it was tried; a new code goes on counting. */
  checks: Generated<number>;
  created_at: Moment;
  expires_at: Moment;
  consumed_at: OptionalMoment;
};

/** The authenticator app of a user; a lost one is replaced by an operator's reset. */
export type AuthenticatorAppsTable = {
  person_id: string;
  /** The shared secret, sealed (`lib/sealed.ts`). */
  secret_sealed: string;
  /** The latest time step whose code was accepted: it and all before it are refused (RFC 6238, 5.2). */
  last_step: number;
  created_at: Moment;
};

/** Unused recovery codes; using one deletes it. */
export type RecoveryCodesTable = {
  code_hash: string;
  person_id: string;
  /** Absent: with the app. */
  made_at: OptionalMoment;
};

/** The public part of a passkey (WebAuthn); the private one never leaves the user's authenticator. */
export type PasskeysTable = {
  /** As the authenticator named it, in base64url. */
  credential_id: string;
  person_id: string;
  /** A COSE key, in base64url. */
  public_key: string;
  /** 0 where the authenticator does not count; a smaller number than before is the sign of a copy. */
  sign_count: ColumnType<string, number, number>;
  /** Whether the key may be synchronised between devices, and whether it is at present. */
  backup_eligible: boolean;
  backed_up: boolean;
  transports: ColumnType<string[], string, string>;
  /** The model of the authenticator. */
  aaguid: string;
  name: string;
  created_at: Moment;
  last_used_at: OptionalMoment;
};

/** Challenges that a passkey has answered; each is good once. */
export type UsedPasskeyChallengesTable = {
  challenge_hash: string;
  expires_at: Moment;
};

/** Users who did not want a passkey when they were asked. */
export type PasskeyRefusalsTable = {
  person_id: string;
  refused_at: Moment;
};

/** One row for each message with a code, for as long as the limits look back. */
export type CodeMessagesTable = {
  id: string;
  person_id: string;
  /** Keyed, so that the table has no phone number. */
  number_hash: string;
  /** The first digits, which a budget is kept for. */
  number_range: string;
  sent_at: Moment;
};

/** Browsers that skip the second factor for a person. One cookie may stand for several people. */
export type RememberedDevicesTable = {
  token_hash: string;
  person_id: string;
  created_at: Moment;
  expires_at: Moment;
};

export type PreviousPasswordsTable = {
  person_id: string;
  password_hash: string;
  replaced_at: Moment;
};

/** The latest link for a new password of each person, and in a table of its own the latest invitation; the token is in the message alone. */
export type PasswordLinksTable = {
  person_id: string;
  token_hash: string;
  /** When the password that it replaces was set: a change since then has ended the link. */
  password_changed_at: Moment;
  expires_at: Moment;
};

/** Addresses that mail was returned from; a row counts as long as the user has the address. */
export type MailBouncesTable = {
  person_id: string;
  address: string;
  /** The reply code of the mail server, or what the mail system reported. */
  status: string;
  bounced_at: Moment;
};

/** Links by which a user refuses a change of the account that somebody else has made; each mail about a change has one. */
export type RefusalLinksTable = {
  token_hash: string;
  person_id: string;
  expires_at: Moment;
};

/** What awaits a person at a site, as the board system last said. */
export type ToDosTable = {
  person_id: string;
  site_id: string;
  pending_votes: Generated<number>;
  open_questionnaires: Generated<number>;
  minutes: Generated<number>;
  action_items: Generated<number>;
  director_home_page_enabled: Generated<boolean>;
  /** The books as they stand now, and as this person has seen them: `BookVersion[]` of the contract. */
  books: ColumnType<unknown, string | undefined, string>;
  seen_books: ColumnType<unknown, string | undefined, string>;
  updated_at: Moment;
};

/** What happened, to whom, and why; never a secret, nor anything that somebody typed. */
export type AuditEventsTable = {
  number: Generated<string>;
  at: Moment;
  event: string;
  result: 'success' | 'failure';
  reason: Optional<string>;
  person_id: Optional<string>;
  /** The session's keyed hash. */
  session_hash: Optional<string>;
  site: Optional<string>;
  client_id: Optional<string>;
  connection: Optional<string>;
  correlation_id: string;
  address: Optional<string>;
  details: ColumnType<Record<string, string>, string | undefined, never>;
};

/** Who does a job at present, and when it is due again. */
export type JobLeasesTable = {
  name: string;
  holder: string;
  held_until: Date;
  next_run_at: Date;
};

export type Tables = {
  people: PeopleTable;
  sign_in_names: SignInNamesTable;
  credentials: CredentialsTable;
  sites: SitesTable;
  memberships: MembershipsTable;
  client_entitlements: ClientEntitlementsTable;
  clients: ClientsTable;
  sessions: SessionsTable;
  sign_ins: SignInsTable;
  openid_records: OpenidRecordsTable;
  sign_outs: SignOutsTable;
  error_records: ErrorRecordsTable;
  limits: LimitsTable;
  settings: SettingsTable;
  job_leases: JobLeasesTable;
  keys_in_use: KeysInUseTable;
  nodes: NodesTable;
  password_links: PasswordLinksTable;
  invitations: PasswordLinksTable;
  mail_bounces: MailBouncesTable;
  refusal_links: RefusalLinksTable;
  outbox: OutboxTable;
  notices: NoticesTable;
  sign_out_notices: SignOutNoticesTable;
  one_time_codes: OneTimeCodesTable;
  code_messages: CodeMessagesTable;
  authenticator_apps: AuthenticatorAppsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  used_passkey_challenges: UsedPasskeyChallengesTable;
  passkey_refusals: PasskeyRefusalsTable;
  remembered_devices: RememberedDevicesTable;
  previous_passwords: PreviousPasswordsTable;
  to_dos: ToDosTable;
  connections: ConnectionsTable;
  connection_domains: ConnectionDomainsTable;
  external_identities: ExternalIdentitiesTable;
  external_requests: ExternalRequestsTable;
  used_assertions: UsedAssertionsTable;
  external_sessions: ExternalSessionsTable;
  audit_events: AuditEventsTable;
  region_departures: RegionDeparturesTable;
  region_arrivals: RegionArrivalsTable;
  used_region_tokens: UsedRegionTokensTable;
  region_links: RegionLinksTable;
};

/** Which of several known keys signs and seals, by setting (decision 036). */
export type KeysInUseTable = {
  setting: string;
  key_id: string;
  /** Set by a production process: only `anteroom keys use` replaces it. */
  production: boolean;
  since: Moment;
};

/** Processes of the service. A node that has not been seen for a while is gone. */
export type NodesTable = {
  id: string;
  /** Host name and process id, for operators. */
  name: string;
  /** Ids by setting, the key that the node signs with first. */
  known_keys: JSONColumnType<Record<string, string[]>>;
  started_at: Moment;
  seen_at: Moment;
};

/** The database, or a transaction in it: inside one, everything must be given the transaction (PGlite has one connection and would wait for ever). */
export type Database = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;
