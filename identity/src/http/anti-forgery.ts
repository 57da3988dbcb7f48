import type { IncomingHttpHeaders } from 'node:http';
import { timingSafeEqual } from 'node:crypto';
import { isKeyedHashOf, keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import type { BrowserCookies } from './cookies.ts';
import { findSingleCookie } from './cookies.ts';
import { ContractError } from './errors.ts';

/**
 * The signed double-submit cookie, bound to the session (OWASP, cross-site request forgery prevention): a value that an
 * attacker has set, or that was issued for another session or before the sign-in, does not match the session cookie of
 * the request.
 */
export type AntiForgery = {
  /** Issues a new value for the session of `sessionCookie`. */
  issue: (sessionCookie: string) => string;
  /** Whether the browser already has a valid value. */
  holdsValid: (headers: IncomingHttpHeaders, sessionCookie: string) => boolean;
  /** @throws `csrf_failed` unless the request comes from our own pages and has a valid value */
  require: (headers: IncomingHttpHeaders) => void;
};

export function createAntiForgery(dependencies: {
  keyRing: KeyRing;
  random: Random;
  cookies: BrowserCookies;
  publicOrigin: string;
  /** Origins of other regions' front ends, whose pages call this service. */
  regionOrigins: readonly string[];
}): AntiForgery {
  const { keyRing, random, cookies, publicOrigin, regionOrigins } = dependencies;

  const bound = (sessionCookie: string, nonce: string): string => `${sessionCookie}.${nonce}`;

  function fits(value: string, sessionCookie: string): boolean {
    const [nonce = '', mac = '', ...rest] = value.split('.');
    return nonce !== '' && rest.length === 0 && isKeyedHashOf(keyRing, mac, bound(sessionCookie, nonce));
  }

  return {
    issue(sessionCookie) {
      const nonce = random.token(16);
      return `${nonce}.${keyedHash(keyRing, bound(sessionCookie, nonce))}`;
    },

    holdsValid(headers, sessionCookie) {
      const value = findSingleCookie(headers.cookie, cookies.antiForgeryName);
      return value !== undefined && fits(value, sessionCookie);
    },

    require(headers) {
      if (headers.origin !== undefined && regionOrigins.includes(headers.origin)) {
        requireOtherRegion(headers);
        return;
      }
      refuse(!comesFromOurPages(headers, publicOrigin), 'the request comes from another site');
      const sessionCookie = findSingleCookie(headers.cookie, cookies.sessionName);
      refuse(sessionCookie === undefined, 'there is no session cookie, or more than one');
      const fromCookie = findSingleCookie(headers.cookie, cookies.antiForgeryName);
      const fromHeader = headers['x-xsrf-token'];
      refuse(fromCookie === undefined, 'there is no anti-forgery cookie, or more than one');
      refuse(typeof fromHeader !== 'string' || fromHeader === '', 'there is no anti-forgery header');
      refuse(!isSameText(fromCookie ?? '', String(fromHeader)), 'the anti-forgery header and cookie differ');
      refuse(
        !fits(fromCookie ?? '', sessionCookie ?? ''),
        'the anti-forgery value belongs to another session',
      );
    },
  };
}

/**
 * Calls from pages of another region contain no anti-forgery value, because these pages cannot read our cookie. The
 * exact `Origin`, which no script can set, and headers that no form can send protect these calls. Because of the
 * headers and of `application/json` (which `routes.ts` requires for every call that changes state), the browser sends a
 * preflight request, which is accepted only for listed regions (wire contract, "Headers, on every call").
 */
function requireOtherRegion(headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  // Regions share one registrable domain, so a request from another site does not come from a region.
  refuse(site !== undefined && site !== 'same-site', 'the request does not come from the same site');
  const isAsked = headers['x-correlation-id'] !== undefined && headers['conforming-errors'] !== undefined;
  refuse(!isAsked, 'the headers that force a preflight request are missing');
}

function refuse(wrong: boolean, detail: string): void {
  if (wrong) throw new ContractError('csrf_failed', { detail });
}

/**
 * Whether the request comes from the public origin, according to `Sec-Fetch-Site`, `Origin` or both. Current browsers
 * send at least one of them; a client that sends neither still needs the value bound to the session.
 */
function comesFromOurPages(headers: IncomingHttpHeaders, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  return (
    (site === undefined || site === 'same-origin') &&
    (headers.origin === undefined || headers.origin === publicOrigin)
  );
}

function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
