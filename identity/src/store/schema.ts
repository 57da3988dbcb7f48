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

// The tables as created by the migrations. Each feature owns the queries of its tables; this file only has their
// types. Ids are random text. Times are `timestamptz` and come from the injected clock, never from `now()`, so that
// tests can move them. JSON columns are written with `JSON.stringify`: `pg` would convert an array to a PostgreSQL
// array.

export type UserStatus = 'active' | 'disabled';

/** A user account; the names that users enter are in `sign_in_names`. */
export type UsersTable = {
  id: string;
  user_name: string;
  email: Optional<string>;
  /** The address at which the user has received a mail. If it differs from `email`, `email` is not verified. */
  verified_email: Optional<string>;
  first_name: string;
  last_name: string;
  /** The user's name in the board system; default: the user name. */
  boards_user_name: Optional<string>;
  /** E.164; absent if SMS codes are not set up. */
  phone_number: Optional<string>;
  /** When the user set it on the account page; absent if an operator set it. */
  phone_number_set_at: OptionalMoment;
  status: Generated<UserStatus>;
  /** Whether recently selected sites come first in the list. */
  recent_sites_first: Generated<boolean>;
  /** Raised with each change of the password, a second factor or the status; sessions and grants of earlier versions are invalid. */
  security_version: Generated<number>;
  /** The site that the account belongs to: its administrators may manage the account (`admin/managed-accounts.ts`). */
  home_site_id: Optional<string>;
  created_at: Moment;
  updated_at: Moment;
};

/** Who manages the service. `site_id` is set exactly for an administrator. */
export type RolesTable = {
  id: string;
  user_id: string;
  role: 'owner' | 'support' | 'auditor' | 'administrator';
  site_id: Optional<string>;
  created_at: Moment;
};

/** User names and e-mail addresses share one namespace, so that a name never identifies two users. */
export type SignInNamesTable = {
  /** `signInNameKey(name)`, and the key of the previous release if it is different. */
  name_key: string;
  user_id: string;
};

export type CredentialsTable = {
  user_id: string;
  /** The PHC string of the hash. */
  password_hash: string;
  must_change: Generated<boolean>;
  changed_at: Moment;
};

export type SitesTable = {
  id: string;
  /** Lower case; visitors' input is trimmed and case folded. */
  name: string;
  display_name: string;
  /** `displayNameKey(display_name)`; absent if a node of the previous release wrote the row. */
  display_name_key: Optional<string>;
  /** Whether anonymous visitors see the display name and logo, and can find the site by its display name. */
  listed: Generated<boolean>;
  /** Whether browsers may remember who signs in to the site, for applications that offer this. */
  remember_accounts: Generated<boolean>;
  parent_id: Optional<string>;
  sequence: Generated<number>;
  logo_path: Optional<string>;
  second_factor_required: Generated<boolean>;
  /** The date from which the required second factor is enforced; absent: at once. */
  second_factor_from: OptionalMoment;
  authenticator_apps: Generated<boolean>;
  /** The accepted second factors, separated by commas; absent: all of them. */
  second_factors: Optional<string>;
  allow_password_entry: Generated<boolean>;
  /** The base URL of the identity service of the site's home region; absent for this one. */
  identity_service_url: Optional<string>;
  /** The connection for company sign-in; absent if the site has only passwords. */
  connection_id: Optional<string>;
  /** Whether users can mark a private computer as remembered, to skip the code on later sign-ins. */
  adaptive_second_factor: Generated<boolean>;
  /** Whether the director application shows to-dos of this site. */
  director_to_dos_enabled: Generated<boolean>;
  /** The deviations from the default policy; parsed by `passwords/policy.ts`. */
  password_policy: JSONColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  disabled_at: OptionalMoment;
  created_at: Moment;
};

export type MembershipsTable = {
  user_id: string;
  site_id: string;
  entitlement_requirements_met: Generated<boolean>;
  /** The label shown next to the site; `none` shows no label. */
  client_entitlement: Generated<string>;
  /** When the user last selected the site in the list. */
  chosen_at: OptionalMoment;
  /** Whether the user has pinned the site in the list. */
  pinned: Generated<boolean>;
  created_at: Moment;
};

/** An application's own label for a user's role at a site. */
export type ClientEntitlementsTable = {
  user_id: string;
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
  /** Where the "cancel" and "back to boards" links lead. */
  cancel_uri: Optional<string>;
  /** The application's start page. */
  home_uri: Optional<string>;
  customizations: JSONColumnType<LoginFlowCustomizations>;
  /** As for sites: both must allow it. */
  adaptive_second_factor: Generated<boolean>;
  /** The other OpenID client metadata in the provider's format (redirect_uris, …). */
  metadata: JSONColumnType<Record<string, unknown>>;
  created_at: Moment;
};

export type SessionsTable = {
  /** The keyed hash of the cookie value, which is not stored on the server. */
  id_hash: string;
  /** Unchanged when the session id is replaced; data of the browser refers to it. */
  browser_id: string;
  user_id: Optional<string>;
  auth_site: Optional<string>;
  externally_authenticated: Generated<boolean>;
  /** The connection of an externally authenticated session. */
  connection_id: Optional<string>;
  /** The account's security version when the session began (`users.security_version`). */
  security_version: Optional<number>;
  /** The OpenID provider's session that depends on this one, once a client has requested one. */
  provider_session_uid: Optional<string>;
  /** The common name of the browser (`lib/browser-name.ts`); absent if unknown. */
  browser: Optional<string>;
  /** Authentication methods (`amr`, RFC 8176), and when the user proved each of them. */
  methods: JSONColumnType<{ method: string; at: string }[]>;
  authenticated_at: OptionalMoment;
  created_at: Moment;
  last_seen_at: Moment;
  absolute_expires_at: Moment;
  ended_at: OptionalMoment;
};

/** A pending sign-in: one row for each interaction of the provider. */
export type SignInsTable = {
  uid: string;
  browser_id: string;
  client_id: string;
  prompt_method: Optional<string>;
  /** The original authorize parameters. */
  parameters: JSONColumnType<Record<string, string>>;
  /** The user of the sign-in so far. */
  user_id: Optional<string>;
  /** The proofs of that user; parsed by `sign-ins/proofs.ts`. */
  proofs: JSONColumnType<Record<string, unknown>, string | undefined, string>;
  /** When the last proof was recorded. */
  advanced_at: OptionalMoment;
  /** The reasons of the provider's prompt, such as `no_session`, `login_prompt`, `max_age`. */
  reasons: JSONColumnType<string[]>;
  /** The e-mail address whose domain selected a provider. */
  external_hint: Optional<string>;
  finished_at: OptionalMoment;
  /** When the browser followed the URL of the finished sign-in. No further proof is accepted after that. */
  followed_at: OptionalMoment;
  /** For a sign-in started from another region's page: the URL of that region, and its id of the sign-in. */
  region: Optional<string>;
  region_uid: Optional<string>;
  created_at: Moment;
  expires_at: Moment;
};

/** Records of the OpenID provider, one row per artefact. */
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

/** A sign-out that an application requested, until the user confirms it. */
export type SignOutsTable = {
  /** The fingerprint of the `logoutId`. */
  id: string;
  client_id: Optional<string>;
  /** The user in the application's `id_token_hint`. */
  hint_user_id: Optional<string>;
  /** Registered for the client; includes `state`. */
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

/** Counters of the limits; the keys are keyed hashes, so the table contains no names. */
export type LimitsTable = {
  key: string;
  /** Consecutive failures, or the uses in the current window. */
  used: number;
  /** No attempt is permitted before this time. */
  blocked_until: OptionalMoment;
  /** The end of the window; the row can be deleted after it. */
  expires_at: Moment;
};

/** Internal data of the service: keys created in development, the version of the demo data. */
export type SettingsTable = {
  name: string;
  value: JSONColumnType<Record<string, unknown>>;
};

/** Messages that are stored instead of sent, only outside production. */
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

/** Pending e-mail notices. Their only secret is the token of a link to undo a change, which grants no access. */
export type NoticesTable = {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: Optional<string>;
  attempts: Generated<number>;
  /** Postponed with every attempt. */
  next_attempt_at: Moment;
  /** No attempts are made after this time. */
  given_up_at: Moment;
};

/** Pending back-channel logout notifications. */
export type SignOutNoticesTable = {
  client_id: string;
  /** The session's id for the application. */
  sid: string;
  user_id: string;
  attempts: Generated<number>;
  /** Immediately at first, and postponed with every attempt. */
  next_attempt_at: ColumnType<Date, Date | undefined, Date>;
  /** Set with the first attempt: no attempts are made after this time. */
  given_up_at: Moment | null;
};

/** One code at a time for each subject; the code itself is not stored. */
export type OneTimeCodesTable = {
  purpose: string;
  /** The only context in which the code is valid: the sign-in's uid. */
  bound_to: string;
  user_id: string;
  code_hash: string;
  /** The number of attempts; a new code continues the count. */
  checks: Generated<number>;
  created_at: Moment;
  expires_at: Moment;
  consumed_at: OptionalMoment;
};

/** A user's authenticator app; a lost one is replaced after an operator's reset. */
export type AuthenticatorAppsTable = {
  user_id: string;
  /** The encrypted shared secret (`lib/sealed.ts`). */
  secret_sealed: string;
  /** The latest time step of an accepted code: codes up to this step are rejected (RFC 6238, 5.2). */
  last_step: number;
  created_at: Moment;
};

/** Unused recovery codes; using a code deletes its row. */
export type RecoveryCodesTable = {
  code_hash: string;
  user_id: string;
  /** Absent: created together with the app. */
  made_at: OptionalMoment;
};

/** The public part of a passkey (WebAuthn); the private key never leaves the user's authenticator. */
export type PasskeysTable = {
  /** Assigned by the authenticator, in base64url. */
  credential_id: string;
  user_id: string;
  /** A COSE key, in base64url. */
  public_key: string;
  /** 0 if the authenticator does not count; a decrease indicates a cloned key. */
  sign_count: ColumnType<string, number, number>;
  /** Whether the key can be synchronised between devices, and whether it currently is. */
  backup_eligible: boolean;
  backed_up: boolean;
  transports: ColumnType<string[], string, string>;
  /** The model of the authenticator. */
  aaguid: string;
  name: string;
  created_at: Moment;
  last_used_at: OptionalMoment;
};

/** Challenges that a passkey has answered; each is accepted once. */
export type UsedPasskeyChallengesTable = {
  challenge_hash: string;
  expires_at: Moment;
};

/** Users who declined to create a passkey. */
export type PasskeyRefusalsTable = {
  user_id: string;
  refused_at: Moment;
};

/** One row per message with a code, for as long as the limits need it. */
export type CodeMessagesTable = {
  id: string;
  user_id: string;
  /** Keyed, so that the table contains no phone number. */
  number_hash: string;
  /** The first digits, which have a common budget. */
  number_range: string;
  sent_at: Moment;
};

/** Browsers that skip the second factor for a user. One cookie can represent several users. */
export type RememberedDevicesTable = {
  token_hash: string;
  user_id: string;
  created_at: Moment;
  expires_at: Moment;
};

export type PreviousPasswordsTable = {
  user_id: string;
  password_hash: string;
  replaced_at: Moment;
};

/** The latest password reset link of each user; only the message contains the token. */
export type PasswordLinksTable = {
  user_id: string;
  token_hash: string;
  /** When the password to replace was set: a later change invalidates the link. */
  password_changed_at: Moment;
  expires_at: Moment;
};

/** The latest invitation of each user. The row stays, so that operators can see what became of it. */
export type InvitationsTable = PasswordLinksTable & {
  sent_at: Moment;
  /** When the user chose a password with a link. */
  accepted_at: OptionalMoment;
};

/** Addresses whose mail bounced; a row counts while the user has the address. */
export type MailBouncesTable = {
  user_id: string;
  address: string;
  /** The mail server's reply code, or the reported status. */
  status: string;
  bounced_at: Moment;
};

/** Links with which a user undoes an account change; every e-mail about a change has one. */
export type RefusalLinksTable = {
  token_hash: string;
  user_id: string;
  expires_at: Moment;
};

/** A user's to-dos at a site, as last reported by the board system. */
export type ToDosTable = {
  user_id: string;
  site_id: string;
  pending_votes: Generated<number>;
  open_questionnaires: Generated<number>;
  minutes: Generated<number>;
  action_items: Generated<number>;
  director_home_page_enabled: Generated<boolean>;
  /** The current books, and those that this user has seen: `BookVersion[]` of the contract. */
  books: ColumnType<unknown, string | undefined, string>;
  seen_books: ColumnType<unknown, string | undefined, string>;
  updated_at: Moment;
};

/** What happened, to which user, and why; never a secret or user input. */
export type AuditEventsTable = {
  number: Generated<string>;
  at: Moment;
  event: string;
  result: 'success' | 'failure';
  reason: Optional<string>;
  user_id: Optional<string>;
  /** The session's keyed hash. */
  session_hash: Optional<string>;
  site: Optional<string>;
  client_id: Optional<string>;
  connection: Optional<string>;
  correlation_id: string;
  address: Optional<string>;
  details: ColumnType<Record<string, string>, string | undefined, never>;
};

/** Which node runs a job, and when it is due again. */
export type JobLeasesTable = {
  name: string;
  holder: string;
  held_until: Date;
  next_run_at: Date;
};

export type Tables = {
  users: UsersTable;
  sign_in_names: SignInNamesTable;
  credentials: CredentialsTable;
  sites: SitesTable;
  roles: RolesTable;
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
  invitations: InvitationsTable;
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

/** Which of several known keys signs and encrypts, by setting (decision 036). */
export type KeysInUseTable = {
  setting: string;
  key_id: string;
  /** Set by a production process: only `anteroom keys use` can replace it. */
  production: boolean;
  since: Moment;
};

/** Processes of the service. A process that has not updated its row for a while has stopped. */
export type NodesTable = {
  id: string;
  /** Host name and process id, for operators. */
  name: string;
  /** Ids by setting; the key that the node signs with comes first. */
  known_keys: JSONColumnType<Record<string, string[]>>;
  started_at: Moment;
  seen_at: Moment;
};

/**
 * The database, or a transaction in it. Inside a transaction, pass it to every query: PGlite has one connection, so a
 * query outside the transaction would wait for ever.
 */
export type Database = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;
