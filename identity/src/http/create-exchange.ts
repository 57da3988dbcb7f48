import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { findBrowserName } from '../lib/browser-name.ts';
import type { FoundSession, IssuedSession, Session, Sessions } from '../sessions/session.ts';
import type { AntiForgery } from './anti-forgery.ts';
import type { BrowserCookies } from './cookies.ts';
import { findSingleCookie } from './cookies.ts';
import type { Exchange } from './exchange.ts';
import { visitorRows } from '../store/visitor-rows.ts';
import type { VisitorRows } from '../store/visitor-rows.ts';
import { ContractError } from './errors.ts';
import { languageOf, localeOf } from './language.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The response cookies by name: setting a cookie again replaces it. */
    cookiesToSet: Map<string, string>;
  }
}

export type CreateExchange = (
  request: FastifyRequest,
  reply: FastifyReply,
  options?: {
    /** `false` is for background calls, which must not extend the session. */
    extendSession?: boolean;
    releaseCapacity?: (() => void) | undefined;
  },
) => Exchange;

/** Creates the `Exchange` of a request. */
export function createExchangeFactory(dependencies: {
  sessions: Sessions;
  cookies: BrowserCookies;
  antiForgery: AntiForgery;
  log: Logger;
  /** @throws `rate_limit_reached` */
  requireAnonymousAllowance: (caller: Pick<Exchange, 'address' | 'headers'>) => Promise<void>;
  guessSite: <Found>(
    caller: Pick<Exchange, 'address' | 'headers'>,
    find: () => Promise<Found | undefined>,
  ) => Promise<Found | undefined>;
  /** Called when a browser presents an expired session. */
  noteExpired: (
    session: Extract<FoundSession, { state: 'expired' }>,
    at: Pick<Exchange, 'correlationId' | 'address'>,
  ) => void;
}): CreateExchange {
  const { sessions, cookies, antiForgery, log, noteExpired } = dependencies;

  return (request, reply, { extendSession = true, releaseCapacity = () => undefined } = {}) => {
    const { visitorAddress: address, headers } = request;
    const sentCookie = findSingleCookie(headers.cookie, cookies.sessionName);
    let found: Promise<FoundSession> | undefined;
    let opened: Promise<Session> | undefined;
    let counted: Promise<VisitorRows> | undefined;

    const findSession = (): Promise<FoundSession> =>
      (found ??= sessions.find(sentCookie, { extend: extendSession }));

    function give(issued: IssuedSession): void {
      request.cookiesToSet.set(cookies.sessionName, cookies.session(issued.cookieValue));
      giveAntiForgery(issued.cookieValue);
    }
    function giveAntiForgery(sessionCookie: string): void {
      const value = antiForgery.issue(sessionCookie);
      request.cookiesToSet.set(cookies.antiForgeryName, cookies.antiForgery(value));
    }

    const requireAnonymousAllowance = (): Promise<VisitorRows> => (counted ??= countAnonymous());
    async function countAnonymous(): Promise<VisitorRows> {
      const { state } = await findSession();
      if (state !== 'valid') await dependencies.requireAnonymousAllowance({ address, headers });
      return visitorRows;
    }

    async function openSession(): Promise<Session> {
      const now = await findSession();
      if (now.session !== undefined && sentCookie !== undefined) {
        if (!antiForgery.holdsValid(headers, sentCookie)) giveAntiForgery(sentCookie);
        return now.session;
      }
      const rows = await requireAnonymousAllowance();
      // The expiry is recorded here, and not at each look-up, because the browser gets another cookie now and so this
      // happens once.
      if (now.state === 'expired') noteExpired(now, { correlationId: request.id, address });
      const issued = await sessions.open(rows, now.state === 'expired' ? now : undefined);
      give(issued);
      return issued.session;
    }

    return {
      correlationId: request.id,
      address,
      headers,
      get language() {
        return languageOf(headers);
      },
      get pageLanguage() {
        return localeOf(headers);
      },
      get browser() {
        return findBrowserName(headers['user-agent']);
      },
      origin: headers.origin,
      log: log.child({ correlationId: request.id }),
      findSession,
      async findSessionWith(also) {
        const reading = sessions.findWith(sentCookie, { extend: extendSession }, also);
        found ??= reading.then((answer) => answer.found);
        // The caller gets the error from `reading`.
        found.catch(() => {});
        return (await reading).read;
      },
      async findBrowserId() {
        const now = await findSession();
        return now.state === 'expired' ? now.browserId : now.session?.browserId;
      },
      ensureSession: () => (opened ??= openSession()),
      requireAnonymousAllowance,
      guessSite: (find) => dependencies.guessSite({ address, headers }, find),

      async requireSignedIn() {
        const now = await findSession();
        if (now.state !== 'valid') throw new ContractError('unauthorized');
        return now.session;
      },

      async issueSession(facts, write) {
        const now = await findSession();
        const previous = now.session ?? (await opened) ?? (now.state === 'expired' ? now : undefined);
        const isAnothers = now.state === 'valid' && now.session.userId !== facts.account.id;
        const replaced = isAnothers ? { browserId: now.session.browserId } : previous;
        const browser = findBrowserName(headers['user-agent']);
        return await sessions.signIn(replaced, { browser, ...facts }, write);
      },

      adopt(issued) {
        give(issued);
        found = Promise.resolve({ state: 'valid', session: issued.session });
        opened = Promise.resolve(issued.session);
        return issued.session;
      },

      forgetSession() {
        const forgotten = cookies.forgotten();
        request.cookiesToSet.set(cookies.sessionName, forgotten.session);
        request.cookiesToSet.set(cookies.antiForgeryName, forgotten.antiForgery);
        found = Promise.resolve({ state: 'none', session: undefined });
        opened = undefined;
      },

      releaseCapacity,
      setHeader: (name, value) => void reply.header(name, value),
      raw: { request: request.raw, response: reply.raw },
    };
  };
}
