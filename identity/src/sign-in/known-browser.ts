import type { Exchange } from '../http/exchange.ts';
import { isKeyedHashOf, keyedHash } from '../lib/keyed-hash.ts';
import type { Services } from '../services.ts';
import { createLastingCookie } from './lasting-cookie.ts';

/** Long enough for somebody who comes back for each quarter's meeting. */
const knownSeconds = 180 * 24 * 60 * 60;

/**
 * A browser that a person has signed in with before. The limits count it apart, so that a stranger who fails on purpose
 * cannot keep the person out (attacks and faults, S34). The cookie names the person in its keyed hash alone and saves
 * nobody a password.
 */
export type KnownBrowsers = {
  /** The browser's own secret, when this person has signed in here before. */
  findSecret: (exchange: Exchange, personId: string) => string | undefined;
  note: (exchange: Exchange, personId: string) => void;
};

export function createKnownBrowsers({
  config,
  keys,
  random,
}: Pick<Services, 'config' | 'keys' | 'random'>): KnownBrowsers {
  const cookie = createLastingCookie(config.publicUrl, 'anteroom_known', knownSeconds);
  const bound = (secret: string, personId: string) => `known browser ${secret} ${personId}`;

  const findSecret: KnownBrowsers['findSecret'] = (exchange, personId) => {
    const [secret = '', hash = ''] = (cookie.read(exchange) ?? '').split('.');
    return secret !== '' && isKeyedHashOf(keys.oneTimeSecrets, hash, bound(secret, personId))
      ? secret
      : undefined;
  };

  return {
    findSecret,
    note(exchange, personId) {
      const secret = findSecret(exchange, personId) ?? random.token(16);
      cookie.write(exchange, `${secret}.${keyedHash(keys.oneTimeSecrets, bound(secret, personId))}`);
    },
  };
}
