import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { FoundSession, Session, SignedInSession, SignInFacts } from '../sessions/session.ts';
import type { DatabaseTransaction } from '../store/schema.ts';

/** One request and its answer, as a call's handler sees it: no framework, and no cookie to spell out. */
export type Exchange = {
  readonly correlationId: string;
  /** The visitor's address, through trusted proxies alone; an IPv6 one is cut to its /64 for limits by `limits`. */
  readonly address: string;
  /** The request's logger: every line carries the correlation id. */
  readonly log: Logger;
  /** What the session cookie stands for now; asked of the database once. */
  findSession: () => Promise<FoundSession>;
  /** A live session of this browser, opened as a pre-session (cookies set) when there is none. Sets a fresh anti-forgery cookie. */
  ensureSession: () => Promise<Session>;
  /** Somebody is signed in, or `unauthorized` (401). */
  requireSignedIn: () => Promise<SignedInSession>;
  /** The privilege changes: a new session id with the same browser id, both cookies set anew, the old id dead at once. */
  signIn: (facts: SignInFacts, transaction?: DatabaseTransaction) => Promise<SignedInSession>;
  /** Ends the session and clears its cookies. */
  endSession: () => Promise<void>;
  /** A header of the answer, such as `Retry-After`. */
  setHeader: (name: string, value: string) => void;
  /** For the OpenID provider, which speaks Node's own objects. */
  readonly raw: { request: IncomingMessage; response: ServerResponse };
};
