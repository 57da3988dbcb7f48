import type { SessionState } from '@anteroom/contract';
import type { DatabaseTransaction } from '../store/schema.ts';

/** How somebody proved who they are, by RFC 8176 ("amr"). */
export const authenticationMethods = ['pwd', 'sms', 'otp', 'fed'] as const;
export type AuthenticationMethod = (typeof authenticationMethods)[number];

/** One browser session: before sign-in it has no person (a pre-session), so that what is under way can be bound to the browser. */
export type Session = {
  /** Keyed hash of the cookie's value; what other rows and the anti-forgery token are bound to. */
  idHash: string;
  /** Stays when the id is replaced at sign-in: bind sign-ins in progress to this. */
  browserId: string;
  personId: string | undefined;
  /** Name of the site the session is for. */
  authSite: string | undefined;
  externallyAuthenticated: boolean;
  /** The connection that an externally authenticated session came over. */
  connectionId: string | undefined;
  methods: AuthenticationMethod[];
  authenticatedAt: Date | undefined;
  createdAt: Date;
  lastSeenAt: Date;
  absoluteExpiresAt: Date;
};

/** A session that a person is signed in with. */
export type SignedInSession = Session & { personId: string; authenticatedAt: Date };

/**
 * What a browser's cookie stands for.
 * `none`: no cookie, an unknown or ended one, or a live pre-session (then `session` is there).
 * `expired`: somebody was signed in and the idle or absolute limit has passed. `valid`: somebody is.
 */
export type FoundSession =
  | { state: Extract<SessionState, 'none'>; session: Session | undefined }
  | { state: Extract<SessionState, 'expired'>; session: undefined; browserId: string; personId: string }
  | { state: Extract<SessionState, 'valid'>; session: SignedInSession };

export type SignInFacts = {
  personId: string;
  authSite?: string | undefined;
  externallyAuthenticated?: boolean;
  connectionId?: string | undefined;
  methods: AuthenticationMethod[];
  /** When that was proved, and until when it is good: of a session that goes on from another region's. Absent: now, and as long as any. */
  authenticatedAt?: Date | undefined;
  absoluteExpiresAt?: Date | undefined;
};

/** Made once for each new or replaced session: the value goes into the cookie and is kept nowhere. */
export type IssuedSession = { session: Session; cookieValue: string };
export type IssuedSignedInSession = { session: SignedInSession; cookieValue: string };

/** Browser sessions in the database. Features use them through the `Exchange`, which also sets the cookies. */
export type Sessions = {
  /** Reads what a cookie value stands for; `extend` counts the visit against the idle limit. */
  find: (cookieValue: string | undefined, options: { extend: boolean }) => Promise<FoundSession>;
  /** Opens a pre-session; `browserId` carries over from an expired one. */
  open: (browserId?: string) => Promise<IssuedSession>;
  /** Replaces the browser's `previous` session by a signed-in one with a new id and the same browser id; the old id is dead at once. */
  signIn: (
    previous: { idHash?: string; browserId: string } | undefined,
    facts: SignInFacts,
    transaction?: DatabaseTransaction,
  ) => Promise<IssuedSignedInSession>;
  /** Changes facts of a signed-in session in place (no privilege is gained by it): the site chosen. */
  setAuthSite: (
    idHash: string,
    authSite: string | undefined,
    transaction?: DatabaseTransaction,
  ) => Promise<void>;
  /** The person may not enter the site any more: sessions for it are for none. */
  leaveSite: (personId: string, authSite: string) => Promise<void>;
  end: (idHash: string, transaction?: DatabaseTransaction) => Promise<void>;
  /** Ends every session of the person but `exceptIdHash`, on every node; answers how many. */
  endAllOf: (
    personId: string,
    options?: { exceptIdHash?: string; transaction?: DatabaseTransaction },
  ) => Promise<number>;
  /** Forgets rows that ended or expired long ago; answers how many. */
  prune: () => Promise<number>;
};
