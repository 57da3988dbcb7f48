import type { IncomingMessage } from 'node:http';
import { createBrowserCookies } from '../http/browser-cookies.ts';
import { findSingleCookie, serialiseCookie } from '../http/cookies.ts';
import type { Exchange } from '../http/exchange.ts';

/** The part of an exchange from which cookies are read. */
export type CookieSource = { raw: { request: Pick<IncomingMessage, 'headers'> } };

/** A persistent cookie. It grants no access by itself. */
export type LastingCookie = {
  read: (source: CookieSource) => string | undefined;
  write: (exchange: Pick<Exchange, 'setHeader'>, value: string) => void;
};

/** Over HTTPS, `name` gets the prefix `__Host-`, which binds the cookie to the host. */
export function createLastingCookie(publicUrl: string, name: string, seconds: number): LastingCookie {
  const { secure } = createBrowserCookies(publicUrl);
  const fullName = secure ? `__Host-${name}` : name;
  return {
    read: ({ raw }) => findSingleCookie(raw.request.headers.cookie, fullName),
    write: (exchange, value) =>
      exchange.setHeader(
        'set-cookie',
        serialiseCookie(fullName, value, { httpOnly: true, secure, sameSite: 'Lax', maxAgeSeconds: seconds }),
      ),
  };
}
