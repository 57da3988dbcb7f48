import { importJWK } from 'jose';
import type { CryptoKey, KeyObject } from 'jose';
import * as v from 'valibot';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import type { AskPeer } from './peer-requests.ts';

/** Where a region publishes what its words are checked with. */
export const regionKeysPath = '/regions/keys';

/** A retired key is refused this much later at the latest. */
const rememberSeconds = 60;
/** A key id that nobody knows is asked for at once, but no more often than this. */
const askAgainSeconds = 5;

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const;
const publicKeys = v.object({
  keys: v.pipe(
    v.array(
      v.looseObject({
        kid: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
        kty: v.picklist(['RSA', 'EC', 'OKP']),
        alg: v.picklist(algorithms),
      }),
    ),
    v.maxLength(20),
  ),
});

export type PeerKey = { alg: (typeof algorithms)[number]; key: CryptoKey | KeyObject | Uint8Array };

/** The public keys of other regions. */
export type PeerKeys = {
  /** The key that a listed region publishes under that id now. @throws when it must be asked and does not answer. */
  find: (regionUrl: string, kid: string) => Promise<PeerKey | undefined>;
};

type Known = { keys: Map<string, PeerKey>; fetchedAt: Date };

/** Kept for a minute in each process; the time is the service's, so that tests move it. */
export function createPeerKeys({ ask, clock }: { ask: AskPeer; clock: Clock }): PeerKeys {
  const known = new Map<string, Known>();
  const askedAt = new Map<string, Date>();
  const underWay = new Map<string, Promise<Known>>();

  async function fetchKeys(regionUrl: string): Promise<Known> {
    askedAt.set(regionUrl, clock.now());
    const { status, text } = await ask(new URL(regionKeysPath, regionUrl), { method: 'GET' });
    if (status !== 200) throw new Error(`The keys of ${regionUrl} were answered with ${status}`);
    const keys = new Map<string, PeerKey>();
    for (const jwk of v.parse(publicKeys, JSON.parse(text)).keys) {
      // `use`, `key_ops` and the rest of a key's own wishes do not decide what it is used for here
      keys.set(jwk.kid, { alg: jwk.alg, key: await importJWK({ ...jwk }, jwk.alg) });
    }
    const fetched = { keys, fetchedAt: clock.now() };
    known.set(regionUrl, fetched);
    return fetched;
  }

  /** Many that come at once ask once. */
  function fetchOnce(regionUrl: string): Promise<Known> {
    const begun = underWay.get(regionUrl);
    if (begun !== undefined) return begun;
    const fetching = fetchKeys(regionUrl).finally(() => underWay.delete(regionUrl));
    underWay.set(regionUrl, fetching);
    return fetching;
  }

  const isOlder = (moment: Date | undefined, seconds: number): boolean =>
    moment === undefined || clock.now() >= addSeconds(moment, seconds) || clock.now() < moment;

  return {
    async find(regionUrl, kid) {
      const held = known.get(regionUrl);
      if (held === undefined || isOlder(held.fetchedAt, rememberSeconds)) {
        return (await fetchOnce(regionUrl)).keys.get(kid);
      }
      const found = held.keys.get(kid);
      if (found !== undefined || !isOlder(askedAt.get(regionUrl), askAgainSeconds)) return found;
      return (await fetchOnce(regionUrl)).keys.get(kid);
    },
  };
}
