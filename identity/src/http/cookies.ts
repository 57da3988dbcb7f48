import type { Locale } from '@anteroom/contract';
import type { Exchange } from './exchange.ts';

// Parsing and serialising cookies (RFC 6265). Repeated names are detected, because an attacker may have set one of the
// cookies.

export type CookieAttributes = {
  httpOnly: boolean;
  secure: boolean;
  sameSite: 'Lax' | 'Strict';
  /** Absent for a session cookie. */
  maxAgeSeconds?: number;
};

/** All values that the browser sent under `name`, in order. */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (header === undefined) return [];
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) values.push(pair.slice(equals + 1).trim());
  }
  return values;
}

/** The value under `name`, if there is exactly one. */
export function findSingleCookie(header: string | undefined, name: string): string | undefined {
  const values = cookieValues(header, name);
  return values.length === 1 ? values[0] : undefined;
}

/** A host-only `Set-Cookie` value. `value` must not need escaping (base64url and dots). */
export function serialiseCookie(name: string, value: string, attributes: CookieAttributes): string {
  return [
    `${name}=${value}`,
    'Path=/',
    ...(attributes.maxAgeSeconds === undefined ? [] : [`Max-Age=${attributes.maxAgeSeconds}`]),
    ...(attributes.secure ? ['Secure'] : []),
    ...(attributes.httpOnly ? ['HttpOnly'] : []),
    `SameSite=${attributes.sameSite}`,
  ].join('; ');
}

/** The two cookies that the service sets itself. */
export type BrowserCookies = {
  sessionName: string;
  antiForgeryName: string;
  /** The name of the OpenID provider's session cookie. */
  providerName: string;
  /** Whether cookies have `Secure`; it also decides the name prefix and the provider's cookies. */
  secure: boolean;
  session: (value: string) => string;
  antiForgery: (value: string) => string;
  /** `Set-Cookie` values that delete both cookies. */
  forgotten: () => { session: string; antiForgery: string };
};

/**
 * On https, cookies have `Secure` and the prefix `__Host-`. On plain http, which production refuses, they have neither,
 * because Safari rejects `Secure` cookies on http even at localhost (WebKit bug 281149). `XSRF-TOKEN` has no prefix
 * because the contract defines its name. Scripts must be able to read its value, which is useless without its session.
 */
export function createBrowserCookies(publicUrl: string): BrowserCookies {
  const secure = new URL(publicUrl).protocol === 'https:';
  const sessionName = secure ? '__Host-anteroom_session' : 'anteroom_session';
  const antiForgeryName = 'XSRF-TOKEN';
  // Lax, because board applications link here from another site, and the browser must send the session cookie with
  // these requests.
  const session = { httpOnly: true, secure, sameSite: 'Lax' } as const;
  const antiForgery = { httpOnly: false, secure, sameSite: 'Strict' } as const;
  return {
    sessionName,
    antiForgeryName,
    providerName: secure ? '__Host-anteroom_provider' : 'anteroom_provider',
    secure,
    session: (value) => serialiseCookie(sessionName, value, session),
    antiForgery: (value) => serialiseCookie(antiForgeryName, value, antiForgery),
    forgotten: () => ({
      session: serialiseCookie(sessionName, '', { ...session, maxAgeSeconds: 0 }),
      antiForgery: serialiseCookie(antiForgeryName, '', { ...antiForgery, maxAgeSeconds: 0 }),
    }),
  };
}

/** The part of an exchange from which cookies are read. */
export type CookieSource = Pick<Exchange, 'headers'>;

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
    read: ({ headers }) => findSingleCookie(headers.cookie, fullName),
    write: (exchange, value) =>
      exchange.setHeader(
        'set-cookie',
        serialiseCookie(fullName, value, { httpOnly: true, secure, sameSite: 'Lax', maxAgeSeconds: seconds }),
      ),
  };
}

const yearSeconds = 365 * 24 * 60 * 60;

/** The cookies that the front end's scripts read and write (wire contract, "Cookies of the front end"). */
export function createPageCookies(publicUrl: string) {
  const { secure } = createBrowserCookies(publicUrl);
  const write = (exchange: Exchange, name: string, value: string): void =>
    exchange.setHeader(
      'set-cookie',
      serialiseCookie(name, encodeURIComponent(value), {
        httpOnly: false,
        secure,
        sameSite: 'Lax',
        maxAgeSeconds: yearSeconds,
      }),
    );
  return {
    /** The last site that the user entered. */
    writeSite: (exchange: Exchange, site: string): void => write(exchange, 'anteroom_site', site),
    /** The language that the visitor selected. */
    writeLocale: (exchange: Exchange, locale: Locale): void => write(exchange, 'anteroom_locale', locale),
  };
}
