import type { SessionState } from '@anteroom/contract';
import type { DatabaseTransaction } from '../store/schema.ts';

/** How somebody proved who they are, by RFC 8176 ("amr"). */
export const authenticationMethods = ['pwd', 'sms', 'otp', 'fed', 'hwk', 'swk', 'user'] as const;
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
  /** The OpenID provider's session that stands on this one, once an application has asked. */
  providerSessionUid: string | undefined;
  methods: AuthenticationMethod[];
  authenticatedAt: Date | undefined;
  createdAt: Date;
  lastSeenAt: Date;
  absoluteExpiresAt: Date;
};

/** A session that a person is signed in with, in the state of their account that it began with. */
export type SignedInSession = Session & {
  personId: string;
  securityVersion: number;
  authenticatedAt: Date;
};

/**
 * What a browser's cookie stands for.
 * `none`: no cookie, an unknown or ended one, one whose account has changed since, or a live pre-session (then `session` is there).
 * `expired`: somebody was signed in and the idle or absolute limit has passed. `valid`: somebody is.
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

export type SignInFacts = {
  /** The person, in the state of the account that everything was verified against. */
  account: { id: string; securityVersion: number };
  authSite?: string | undefined;
  externallyAuthenticated?: boolean;
  connectionId?: string | undefined;
  methods: AuthenticationMethod[];
  /** The browser by a common name. */
  browser?: string | undefined;
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
  /** Opens a pre-session, which lives 15 minutes, and longer while it is used; in the place of an expired one, which ends, it has that one's browser id. */
  open: (expired?: { idHash: string; browserId: string }) => Promise<IssuedSession>;
  /**
   * Replaces the browser's `previous` session by a signed-in one with a new id and the same browser id; the old id is dead at once.
   * Undefined, and nothing is written, when the account is not in that state any more, when the connection that vouches for the person has
   * been disabled, or when `previous` has ended meanwhile: a session has one successor, and what was ended must not live on in it.
   */
  signIn: (
    previous: { idHash?: string; browserId: string } | undefined,
    facts: SignInFacts,
    transaction?: DatabaseTransaction,
  ) => Promise<IssuedSignedInSession | undefined>;
  /** Changes facts of a signed-in session in place (no privilege is gained by it): the site chosen. False when it has ended. */
  setAuthSite: (idHash: string, authSite: string | undefined) => Promise<boolean>;
  /** Notes the OpenID provider's session that stands on this one, so that both end together. False when it has ended. */
  setProviderSession: (idHash: string, uid: string) => Promise<boolean>;
  /** The person may not enter the site any more: sessions for it are for none. */
  leaveSite: (personId: string, authSite: string) => Promise<void>;
  /** Forgets rows that ended or expired long ago; answers how many. */
  prune: () => Promise<number>;
};
