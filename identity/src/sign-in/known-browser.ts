import type { Exchange } from '../http/exchange.ts';
import { isKeyedHashOf, keyedHash } from '../lib/keyed-hash.ts';
import type { Services } from '../services.ts';
import { createLastingCookie } from '../http/cookies.ts';
import type { CookieSource } from '../http/cookies.ts';

/** How long a browser stays known: long enough for a user who signs in once a quarter. */
const knownSeconds = 180 * 24 * 60 * 60;

/** The maximum number of users per browser; the least recent user is dropped first. */
const mostUsers = 8;

/**
 * Remembers the browsers with which a user has signed in. Each of them has its own failure count, so that an attacker
 * cannot lock the user out with deliberate failures (attacks and faults, S34). The cookie contains a secret of the
 * browser, a keyed hash per user, and a keyed hash of the secret. It contains no user name, and it does not replace a
 * password.
 */
export type KnownBrowsers = {
  /** The secret of this browser, if this user has signed in with it before. */
  findSecret: (source: CookieSource, userId: string) => string | undefined;
  /**
   * The secret of this browser, if any user has signed in with it. That user may be any user, not only the one who is
   * signing in.
   */
  findIssuedSecret: (source: CookieSource) => string | undefined;
  note: (exchange: CookieSource & Pick<Exchange, 'setHeader'>, userId: string) => void;
};

export function createKnownBrowsers({
  config,
  keys,
  random,
}: Pick<Services, 'config' | 'keys' | 'random'>): KnownBrowsers {
  const cookie = createLastingCookie(config.publicUrl, 'anteroom_known', knownSeconds);
  const keyRing = keys.oneTimeSecrets;
  const ofBrowser = (secret: string) => `secret of a known browser ${secret}`;
  const ofUser = (secret: string, userId: string) => `known browser ${secret} ${userId}`;

  /** Reads the cookie; undefined if this service did not issue it. */
  function read(source: CookieSource): { secret: string; users: string[] } | undefined {
    const [secret = '', ...hashes] = (cookie.read(source) ?? '').split('.');
    const own = hashes.pop();
    if (own === undefined || !isKeyedHashOf(keyRing, own, ofBrowser(secret))) return undefined;
    return { secret, users: hashes.slice(0, mostUsers) };
  }

  return {
    findSecret(source, userId) {
      const known = read(source);
      return known?.users.some((hash) => isKeyedHashOf(keyRing, hash, ofUser(known.secret, userId)))
        ? known.secret
        : undefined;
    },
    findIssuedSecret: (source) => read(source)?.secret,
    note(exchange, userId) {
      const { secret, users } = read(exchange) ?? { secret: random.token(16), users: [] };
      const others = users.filter((hash) => !isKeyedHashOf(keyRing, hash, ofUser(secret, userId)));
      const present = [keyedHash(keyRing, ofUser(secret, userId)), ...others].slice(0, mostUsers);
      cookie.write(exchange, [secret, ...present, keyedHash(keyRing, ofBrowser(secret))].join('.'));
    },
  };
}
