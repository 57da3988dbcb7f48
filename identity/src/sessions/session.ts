import type { SessionState } from '@anteroom/contract';
import type { RawBuilder } from 'kysely';
import type { FirstRows, Queries } from '../store/read-together.ts';
import type { DatabaseTransaction } from '../store/schema.ts';

/** How a user authenticated, by RFC 8176 (`amr`). */
export const authenticationMethods = ['pwd', 'sms', 'otp', 'fed', 'hwk', 'swk', 'user'] as const;
export type AuthenticationMethod = (typeof authenticationMethods)[number];

/** A browser session. Before sign-in it has no user (an anonymous session) and binds pending sign-ins to the browser. */
export type Session = {
  /** The keyed hash of the cookie value; other rows and the anti-forgery token refer to it. */
  idHash: string;
  /** Unchanged when the session id is replaced at sign-in; pending sign-ins refer to it. */
  browserId: string;
  personId: string | undefined;
  /** The name of the session's site. */
  authSite: string | undefined;
  externallyAuthenticated: boolean;
  /** The connection of an externally authenticated session. */
  connectionId: string | undefined;
  /** The OpenID provider's session that depends on this one, once a client has requested one. */
  providerSessionUid: string | undefined;
  methods: AuthenticationMethod[];
  authenticatedAt: Date | undefined;
  createdAt: Date;
  lastSeenAt: Date;
  absoluteExpiresAt: Date;
};

/** A session with a user, and the security version of the account when the session began. */
export type SignedInSession = Session & {
  personId: string;
  securityVersion: number;
  authenticatedAt: Date;
};

/**
 * The result of looking up a cookie. `none`: no cookie, an unknown or ended session, one whose account has changed, or
 * an anonymous session (then `session` is set). `expired`: a user was signed in, and the idle or absolute limit has
 * passed. `valid`: a user is signed in.
 */
export type FoundSession =
  | { state: Extract<SessionState, 'none'>; session: Session | undefined }
  | {
      state: Extract<SessionState, 'expired'>;
      session: undefined;
      idHash: string;
      browserId: string;
      personId: string;
    }
  | { state: Extract<SessionState, 'valid'>; session: SignedInSession };

/** What a request reads in the statement that looks up its session (`readTogether`). */
export type AlsoRead<Read extends Queries> = {
  /** `browserId` is empty if the cookie belongs to no browser. */
  queries: (browserId: RawBuilder<string>) => Read;
  /** Parts that write. They depend on `after`, so that all statements lock sessions first. */
  changes?: (after: RawBuilder<boolean>) => RawBuilder<unknown>[];
};

/** `read` is undefined if there was no cookie to look up, and then nothing else was read. */
export type FoundWith<Read extends Queries> = { found: FoundSession; read: FirstRows<Read> | undefined };

/** What the statement that begins a session writes too, if the session begins. */
export type WrittenWithSession = {
  parts: (isBegun: RawBuilder<boolean>) => Queries;
  /** The name of the part that returns a row if everything was written. */
  last: string;
};

export type SessionWrite = { transaction?: DatabaseTransaction; alongside?: WrittenWithSession | undefined };

export type SignInFacts = {
  /** The user, with the security version that everything was verified against. */
  account: { id: string; securityVersion: number };
  authSite?: string | undefined;
  externallyAuthenticated?: boolean;
  connectionId?: string | undefined;
  methods: AuthenticationMethod[];
  /** A common name of the browser. */
  browser?: string | undefined;
  /** The authentication time and the end, for a session that continues one from another region. Default: now, and the normal lifetime. */
  authenticatedAt?: Date | undefined;
  absoluteExpiresAt?: Date | undefined;
};

/** Issued for each new or replaced session: the value is stored only in the cookie. */
export type IssuedSession = { session: Session; cookieValue: string };
export type IssuedSignedInSession = {
  session: SignedInSession;
  cookieValue: string;
  /** Whether everything of `SessionWrite.alongside` was written. */
  isWrittenAlongside: boolean;
};

/** Browser sessions in the database. Features use them through the `Exchange`, which also sets the cookies. */
export type Sessions = {
  /** Looks up a cookie value; `extend` counts the visit against the idle limit. */
  find: (cookieValue: string | undefined, options: { extend: boolean }) => Promise<FoundSession>;
  /** The same, and reads more in the same statement. */
  findWith: <Read extends Queries>(
    cookieValue: string | undefined,
    options: { extend: boolean },
    also?: AlsoRead<Read>,
  ) => Promise<FoundWith<Read>>;
  /**
   * Opens an anonymous session, which expires after 15 minutes, and later while it is used. It replaces an expired session, if given,
   * and takes over its browser id.
   */
  open: (expired?: { idHash: string; browserId: string }) => Promise<IssuedSession>;
  /**
   * Replaces the `previous` session by a signed-in one with a new id and the same browser id; the old id becomes
   * invalid at once. Undefined, without a change, if the account's security version has changed, if the connection
   * that authenticated the user has been disabled, or if `previous` has ended: a session has at most one successor,
   * and none after its end.
   */
  signIn: (
    previous: { idHash?: string; browserId: string } | undefined,
    facts: SignInFacts,
    write?: SessionWrite,
  ) => Promise<IssuedSignedInSession | undefined>;
  /** Changes the site of a signed-in session in place, which grants no privilege. Returns false if it has ended. */
  setAuthSite: (idHash: string, authSite: string | undefined) => Promise<boolean>;
  /** Removes a site that the user can no longer enter from their sessions. */
  clearSite: (personId: string, authSite: string) => Promise<void>;
  /** Deletes rows that ended or expired long ago, and returns their number. */
  prune: () => Promise<number>;
};
