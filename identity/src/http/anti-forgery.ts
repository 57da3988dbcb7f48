import type { IncomingHttpHeaders } from 'node:http';
import { timingSafeEqual } from 'node:crypto';
import { isKeyedHashOf, keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { Random } from '../lib/random.ts';
import type { BrowserCookies } from './browser-cookies.ts';
import { findSingleCookie } from './cookies.ts';
import { ContractError } from './errors.ts';

/**
 * The signed double-submit cookie, bound to the session (OWASP, cross-site request forgery prevention): a value that was
 * planted, or taken from another session or from before the sign-in, does not fit the session cookie that comes with it.
 */
export type AntiForgery = {
  /** A fresh value for the session that `sessionCookie` is the cookie of. */
  issue: (sessionCookie: string) => string;
  /** Whether the browser already holds a value that fits. */
  holdsValid: (headers: IncomingHttpHeaders, sessionCookie: string) => boolean;
  /** @throws `csrf_failed` unless the request comes from our own pages and proves it. */
  require: (headers: IncomingHttpHeaders) => void;
};

export function createAntiForgery(dependencies: {
  keyRing: KeyRing;
  random: Random;
  cookies: BrowserCookies;
  publicOrigin: string;
  /** Front ends of other regions, whose pages call this one. */
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
 * A page of a listed region cannot read our cookie, so no value comes with its calls. Its exact `Origin`, which no script can set, and
 * headers that no form can send protect them: with them, and with `application/json` (which `routes.ts` asks of every call that changes
 * something), the browser asks us first, and only listed regions are told that they may (wire contract, "Headers, on every call").
 */
function requireOtherRegion(headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  // hosts of one registrable domain: anything else is no region, whatever it calls itself
  refuse(site !== undefined && site !== 'same-site', 'the request does not come from a neighbour');
  const isAsked = headers['x-correlation-id'] !== undefined && headers['conforming-errors'] !== undefined;
  refuse(!isAsked, 'the headers that make a browser ask first are missing');
}

function refuse(wrong: boolean, detail: string): void {
  if (wrong) throw new ContractError('csrf_failed', { detail });
}

/**
 * Browsers say where a request comes from, by `Sec-Fetch-Site`, by `Origin` or by both, and what they say must be us. A
 * client that says neither is no browser of today; it still has to hold the value that is bound to the session.
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
