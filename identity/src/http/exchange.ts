import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Locale, Extension } from '@anteroom/contract';
import type { Log } from '../lib/log.ts';
import type {
  AlsoRead,
  FoundSession,
  IssuedSignedInSession,
  Session,
  SessionWrite,
  SignedInSession,
  SignInFacts,
} from '../sessions/session.ts';
import type { FirstRows, Queries } from '../store/read-together.ts';

/** A request and its response for the handler of a call, independent of the framework and of cookie names. */
export type Exchange = {
  readonly correlationId: string;
  /** The visitor's address in canonical form, from trusted proxies only; `unknown` if a proxy sent none. */
  readonly address: string;
  /** The browser's preferred language of those that we have, or English. */
  readonly language: Locale;
  /** The language that the visitor has selected on our pages, or the browser's. */
  readonly pageLanguage: Locale;
  /** The display name of the browser; undefined if unknown. */
  readonly browser: string | undefined;
  /** The origin of the page that calls. */
  readonly origin: string | undefined;
  /** The request's logger: every line has the correlation id. */
  readonly log: Log;
  /** Looks up the session of the cookie; queries the database once. */
  findSession: () => Promise<FoundSession>;
  /**
   * Looks up the session and reads more in the same statement. Undefined if this request has looked the session up
   * before, or has no cookie: then nothing else was read.
   */
  findSessionWith: <Read extends Queries>(also: AlsoRead<Read>) => Promise<FirstRows<Read> | undefined>;
  /** The id that stays the same while a browser's session ids change; undefined for a new browser. */
  findBrowserId: () => Promise<string | undefined>;
  /** Returns the browser's active session, or opens an anonymous one and sets its cookies. Sets a new anti-forgery cookie. */
  ensureSession: () => Promise<Session>;
  /** Returns the signed-in session. @throws `unauthorized` */
  requireSignedIn: () => Promise<SignedInSession>;
  /**
   * Replaces the browser's session by a signed-in one with a new id and the same browser id; the old id becomes
   * invalid at once. A session of another user is ended by the caller (`begin-session.ts`). `adopt` then sends the
   * cookies. Undefined if the account has changed since it was read, or the current session has ended.
   */
  issueSession: (facts: SignInFacts, write?: SessionWrite) => Promise<IssuedSignedInSession | undefined>;
  /** Sends the cookies of a stored session. Call it after the transaction commits. */
  adopt: (issued: IssuedSignedInSession) => SignedInSession;
  /**
   * Counts, once per request, what an anonymous visitor is about to store, by the known browser or the address.
   * @throws `rate_limit_reached` with `Retry-After`
   */
  requireAnonymousAllowance: () => Promise<void>;
  /**
   * Looks up a site by a visitor's input, and counts unknown sites by the known browser or the address.
   * @throws `rate_limit_reached` with `Retry-After`
   */
  guessSite: <Found>(find: () => Promise<Found | undefined>) => Promise<Found | undefined>;
  /** Deletes the cookies of an ended session. Call it after the transaction commits. */
  forgetSession: () => void;
  /** Sets a response header, such as `Retry-After`. */
  setHeader: (name: string, value: string) => void;
  /** Node's own objects, for the OpenID provider and for headers that one feature needs. */
  readonly raw: { request: IncomingMessage; response: ServerResponse };
};

/** Whether the calling page supports the extension (wire contract, "Optional members"); otherwise nothing is offered that requires it. */
export function knowsExtension({ raw }: Pick<Exchange, 'raw'>, extension: Extension): boolean {
  const named = raw.request.headers['x-anteroom-extensions'] ?? '';
  return String(named)
    .split(',')
    .some((name) => name.trim() === extension);
}
