import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../lib/log.ts';
import type {
  FoundSession,
  IssuedSignedInSession,
  Session,
  SignedInSession,
  SignInFacts,
} from '../sessions/session.ts';
import type { DatabaseTransaction } from '../store/schema.ts';

/** One request and its answer, as a call's handler sees it: no framework, and no cookie to spell out. */
export type Exchange = {
  readonly correlationId: string;
  /** The visitor's address, through trusted proxies alone, in its canonical spelling; `unknown` when a proxy named none. */
  readonly address: string;
  /** The request's logger: every line carries the correlation id. */
  readonly log: Log;
  /** What the session cookie stands for now; asked of the database once. */
  findSession: () => Promise<FoundSession>;
  /** What stays the same while a browser's session ids change; undefined for one that has never been here. */
  findBrowserId: () => Promise<string | undefined>;
  /** A live session of this browser, opened as a pre-session (cookies set) when there is none. Sets a fresh anti-forgery cookie. */
  ensureSession: () => Promise<Session>;
  /** Somebody is signed in, or `unauthorized` (401). */
  requireSignedIn: () => Promise<SignedInSession>;
  /**
   * Writes a signed-in session in the place of the browser's present one: a new session id with the same browser id, the old id dead at
   * once. One of another person is left to the caller to end (`begin-session.ts`). The browser gets the new one with `adopt`. Undefined when
   * the account has changed since it was read, or the present session has ended.
   */
  issueSession: (
    facts: SignInFacts,
    transaction?: DatabaseTransaction,
  ) => Promise<IssuedSignedInSession | undefined>;
  /** Gives the browser a session that has been written, and both cookies anew: after the transaction has been committed. */
  adopt: (issued: IssuedSignedInSession) => SignedInSession;
  /**
   * Counts what a visitor without a signed-in session is about to leave behind, once a request, by the known browser or the address.
   * @throws `rate_limit_reached` with `Retry-After`.
   */
  requireAnonymousAllowance: () => Promise<void>;
  /**
   * Looks up a site that a visitor names, and counts it, by the known browser or the address, when it is not there.
   * @throws `rate_limit_reached` with `Retry-After`.
   */
  guessSite: <Found>(find: () => Promise<Found | undefined>) => Promise<Found | undefined>;
  /** Takes the cookies of a session that has ended from the browser: after the transaction has been committed. */
  forgetSession: () => void;
  /** A header of the answer, such as `Retry-After`. */
  setHeader: (name: string, value: string) => void;
  /** For the OpenID provider, which speaks Node's own objects. */
  readonly raw: { request: IncomingMessage; response: ServerResponse };
};
