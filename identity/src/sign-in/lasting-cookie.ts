import type { IncomingMessage } from 'node:http';
import { createBrowserCookies } from '../http/browser-cookies.ts';
import { findSingleCookie, serialiseCookie } from '../http/cookies.ts';
import type { Exchange } from '../http/exchange.ts';

/** Of a request, what cookies are read from. */
export type Visit = { raw: { request: Pick<IncomingMessage, 'headers'> } };

/** A cookie that outlives the browser's window. It opens nothing by itself. */
export type LastingCookie = {
  read: (visit: Visit) => string | undefined;
  write: (exchange: Pick<Exchange, 'setHeader'>, value: string) => void;
};

/** `name` gets the prefix that binds it to the host, wherever browsers take it. */
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
