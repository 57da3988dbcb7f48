import type { Exchange } from '../http/exchange.ts';
import { isKeyedHashOf, keyedHash } from '../lib/keyed-hash.ts';
import type { Services } from '../services.ts';
import { createLastingCookie } from './lasting-cookie.ts';
import type { Visit } from './lasting-cookie.ts';

/** Long enough for a user who comes back for each quarter's meeting. */
const knownSeconds = 180 * 24 * 60 * 60;

/** Users of one computer who are remembered; the one who signed in longest ago is forgotten first. */
const mostUsers = 8;

/**
 * Browsers that users have signed in with before. The limits count such a browser apart for such a user, so that a stranger who fails
 * on purpose cannot lock the user out (attacks and faults, S34). The cookie is the browser's own secret, a keyed hash for each of its
 * users, and a keyed hash of the secret itself; it names no user and saves nobody a password.
 */
export type KnownBrowsers = {
  /** The browser's own secret, when this user has signed in here before. */
  findSecret: (visit: Visit, personId: string) => string | undefined;
  /** The same when any user has: it proves nothing about the account that a request is for. */
  findIssuedSecret: (visit: Visit) => string | undefined;
  note: (exchange: Visit & Pick<Exchange, 'setHeader'>, personId: string) => void;
};

export function createKnownBrowsers({
  config,
  keys,
  random,
}: Pick<Services, 'config' | 'keys' | 'random'>): KnownBrowsers {
  const cookie = createLastingCookie(config.publicUrl, 'anteroom_known', knownSeconds);
  const keyRing = keys.oneTimeSecrets;
  const ofBrowser = (secret: string) => `secret of a known browser ${secret}`;
  const ofUser = (secret: string, personId: string) => `known browser ${secret} ${personId}`;

  /** What this service has issued; undefined for a cookie that was made up. */
  function read(visit: Visit): { secret: string; users: string[] } | undefined {
    const [secret = '', ...hashes] = (cookie.read(visit) ?? '').split('.');
    const own = hashes.pop();
    if (own === undefined || !isKeyedHashOf(keyRing, own, ofBrowser(secret))) return undefined;
    return { secret, users: hashes.slice(0, mostUsers) };
  }

  return {
    findSecret(visit, personId) {
      const known = read(visit);
      return known?.users.some((hash) => isKeyedHashOf(keyRing, hash, ofUser(known.secret, personId)))
        ? known.secret
        : undefined;
    },
    findIssuedSecret: (visit) => read(visit)?.secret,
    note(exchange, personId) {
      const { secret, users } = read(exchange) ?? { secret: random.token(16), users: [] };
      const others = users.filter((hash) => !isKeyedHashOf(keyRing, hash, ofUser(secret, personId)));
      const present = [keyedHash(keyRing, ofUser(secret, personId)), ...others].slice(0, mostUsers);
      cookie.write(exchange, [secret, ...present, keyedHash(keyRing, ofBrowser(secret))].join('.'));
    },
  };
}
