import type { SessionState } from '@anteroom/contract';
import type { RawBuilder } from 'kysely';
import { factorMethods } from '../factors/factor.ts';
import type { FirstRows, Queries } from '../store/read-together.ts';
import type { DatabaseTransaction } from '../store/schema.ts';
import type { VisitorRows } from '../store/visitor-rows.ts';

/** Authentication methods (`amr`, RFC 8176). */
export const authenticationMethods = ['pwd', 'fed', 'hwk', 'swk', ...factorMethods] as const;
export type AuthenticationMethod = (typeof authenticationMethods)[number];

/** A method that the user has proved, and when. Each method has its own time: a fresh password renews no code. */
export type ProvedMethod = { readonly method: AuthenticationMethod; readonly at: Date };

/**
 * A browser session. Before the sign-in, the session has no user (an anonymous session) and only binds pending sign-ins
 * to the browser.
 */
export type Session = {
  /** The keyed hash of the cookie value; other rows and the anti-forgery token refer to it. */
  idHash: string;
  /** Unchanged when the session id is replaced at sign-in; pending sign-ins refer to it. */
  browserId: string;
  userId: string | undefined;
  /** The name of the session's site. */
  authSite: string | undefined;
  externallyAuthenticated: boolean;
  /** The connection through which the user authenticated, if `externallyAuthenticated`. */
  connectionId: string | undefined;
  /**
   * The id of the OpenID provider's session that depends on this one. Undefined until a client has requested tokens.
   */
  providerSessionUid: string | undefined;
  methods: readonly ProvedMethod[];
  createdAt: Date;
  lastSeenAt: Date;
  absoluteExpiresAt: Date;
};

/** A session with a user, and the security version of the account when the session began. */
export type SignedInSession = Session & { userId: string; securityVersion: number };

/**
 * The result of looking up a cookie. `none`: there is no cookie, the session is unknown, has ended or belongs to an
 * account that has changed, or the session is anonymous (then `session` is set). `expired`: a user was signed in, and
 * the idle or absolute limit has passed. `valid`: a user is signed in.
 */
export type FoundSession =
  | { state: Extract<SessionState, 'none'>; session: Session | undefined }
  | {
      state: Extract<SessionState, 'expired'>;
      session: undefined;
      idHash: string;
      browserId: string;
      userId: string;
    }
  | { state: Extract<SessionState, 'valid'>; session: SignedInSession };

/** Further queries of the statement that looks up the session of a request (`readTogether`). */
export type AlsoRead<Read extends Queries> = {
  /** `browserId` is empty if the cookie belongs to no browser. */
  queries: (browserId: RawBuilder<string>) => Read;
  /** The parts of the statement that write. */
  changes?: readonly RawBuilder<unknown>[];
};

/** `read` is undefined if there was no cookie to look up; the queries were then not executed. */
export type FoundWith<Read extends Queries> = { found: FoundSession; read: FirstRows<Read> | undefined };

/** Further writes of the statement that begins a session. They apply only if the session begins. */
export type WrittenWithSession = {
  /** A condition of the session, besides the state of the account. */
  when?: RawBuilder<boolean>;
  parts: (isBegun: RawBuilder<boolean>) => Queries;
  /** The parts without a result (`readTogether`); `begun` is a part that returns a row if the session begins. */
  changes?: (begun: RawBuilder<unknown>) => RawBuilder<unknown>[];
  /** The name of the part that returns a row if all parts have written. */
  last: string;
};

export type SessionWrite = { transaction?: DatabaseTransaction; alongside?: WrittenWithSession | undefined };

/** What a session of a user begins with. */
export type NewSession = {
  /** The user, with the security version that everything was verified against. */
  account: { id: string; securityVersion: number };
  authSite?: string | undefined;
  externallyAuthenticated?: boolean;
  connectionId?: string | undefined;
  methods: readonly ProvedMethod[];
  /** The display name of the browser. */
  browser?: string | undefined;
  /** The expiry of a session that continues an earlier one. Default: the normal lifetime. */
  absoluteExpiresAt?: Date | undefined;
};

/** A new session with its cookie value, which is stored only in the browser. */
export type IssuedSession = { session: Session; cookieValue: string };
export type IssuedSignedInSession = {
  session: SignedInSession;
  cookieValue: string;
  /** Whether all writes of `SessionWrite.alongside` were applied. */
  isWrittenAlongside: boolean;
};

/** Browser sessions in the database. Features use them through the `Exchange`, which also sets the cookies. */
export type Sessions = {
  /** Looks up a cookie value; `extend` counts the use against the idle limit. */
  find: (cookieValue: string | undefined, options: { extend: boolean }) => Promise<FoundSession>;
  /** Like `find`, but also executes `also` in the same statement. */
  findWith: <Read extends Queries>(
    cookieValue: string | undefined,
    options: { extend: boolean },
    also?: AlsoRead<Read>,
  ) => Promise<FoundWith<Read>>;
  /**
   * Opens an anonymous session. It expires after 15 minutes unless it is used; each use extends it. If an expired
   * session is given, replaces it and keeps its browser id.
   */
  open: (rows: VisitorRows, expired?: { idHash: string; browserId: string }) => Promise<IssuedSession>;
  /**
   * Replaces the `previous` session by a signed-in one with a new id and the same browser id; the old id becomes
   * invalid at once. Returns undefined and changes nothing if the account's security version has changed, if the
   * connection that authenticated the user has been disabled, if the condition of `write.alongside` is false, or if
   * `previous` has ended or was already replaced.
   */
  signIn: (
    previous: { idHash?: string; browserId: string } | undefined,
    facts: NewSession,
    write?: SessionWrite,
  ) => Promise<IssuedSignedInSession | undefined>;
  /**
   * Changes the site of a signed-in session. The session id stays the same, because the change grants no privilege.
   * Returns false if the session has ended.
   */
  setAuthSite: (idHash: string, authSite: string | undefined) => Promise<boolean>;
  /** Removes a site that the user can no longer enter from their sessions. */
  clearSite: (userId: string, authSite: string) => Promise<void>;
  /** Deletes sessions that ended or expired long ago, and returns their number. */
  prune: () => Promise<number>;
};
