import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Locale, Extension } from '@anteroom/contract';
import type { Log } from '../lib/log.ts';
import type {
  AlsoRead,
  FoundSession,
  IssuedSignedInSession,
  NewSession,
  Session,
  SessionWrite,
  SignedInSession,
} from '../sessions/session.ts';
import type { FirstRows, Queries } from '../store/read-together.ts';
import type { VisitorRows } from '../store/visitor-rows.ts';

/** A request and its response for the handler of a call, independent of the framework and of cookie names. */
export type Exchange = {
  readonly correlationId: string;
  /**
   * The visitor's address in canonical form. Only trusted proxies can forward it; `unknown` if such a proxy sent none.
   */
  readonly address: string;
  /** The supported language that the browser prefers, or English. */
  readonly language: Locale;
  /** The language that the visitor has selected on our pages, or the browser's. */
  readonly pageLanguage: Locale;
  /** The display name of the browser; undefined if unknown. */
  readonly browser: string | undefined;
  /** The origin of the calling page. */
  readonly origin: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The request's logger: every line has the correlation id. */
  readonly log: Log;
  /** Looks up the session of the cookie. Queries the database once per request. */
  findSession: () => Promise<FoundSession>;
  /**
   * Looks up the session and executes further queries in the same statement. Undefined, without executing the queries,
   * if the request has no session cookie.
   */
  findSessionWith: <Read extends Queries>(also: AlsoRead<Read>) => Promise<FirstRows<Read> | undefined>;
  /** The browser's id, which stays the same when its session id changes; undefined for a new browser. */
  findBrowserId: () => Promise<string | undefined>;
  /** Returns the browser's active session, or opens an anonymous one and sets its cookies. Sets a new anti-forgery cookie. */
  ensureSession: () => Promise<Session>;
  /**
   * Returns the signed-in session.
   * @throws `unauthorized`
   */
  requireSignedIn: () => Promise<SignedInSession>;
  /**
   * Replaces the browser's session by a signed-in one with a new id and the same browser id; the old id becomes
   * invalid at once. A session of another user is ended by the caller (`begin-session.ts`). `adopt` then sends the
   * cookies. Undefined if the account has changed since it was read, or the current session has ended.
   */
  issueSession: (facts: NewSession, write?: SessionWrite) => Promise<IssuedSignedInSession | undefined>;
  /** Sends the cookies of a stored session. Call it after the transaction commits. */
  adopt: (issued: IssuedSignedInSession) => SignedInSession;
  /**
   * Permits the request to insert rows. Without a signed-in session, counts the request, once, by the known browser or
   * the address.
   * @throws `rate_limit_reached` with `Retry-After`
   */
  requireAnonymousAllowance: () => Promise<VisitorRows>;
  /**
   * Looks up a site by a visitor's input, and counts unknown sites by the known browser or the address.
   * @throws `rate_limit_reached` with `Retry-After`
   */
  guessSite: <Found>(find: () => Promise<Found | undefined>) => Promise<Found | undefined>;
  /** Deletes the cookies of an ended session. Call it after the transaction commits. */
  forgetSession: () => void;
  /**
   * Releases the capacity for hashing that the call has reserved. Call it after the last hash if the call then waits for
   * another server. Otherwise, the end of the call releases it.
   */
  releaseCapacity: () => void;
  /** Sets a response header, such as `Retry-After`. */
  setHeader: (name: string, value: string) => void;
  /** Node's own objects, for the OpenID provider. */
  readonly raw: { request: IncomingMessage; response: ServerResponse };
};

/**
 * Whether the calling page supports the extension (wire contract, "Optional members"); a response must not offer
 * anything that the page does not support.
 */
export function knowsExtension({ headers }: Pick<Exchange, 'headers'>, extension: Extension): boolean {
  const named = headers['x-anteroom-extensions'] ?? '';
  return String(named)
    .split(',')
    .some((name) => name.trim() === extension);
}
