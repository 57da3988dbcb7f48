import { importJWK } from 'jose';
import type { CryptoKey, KeyObject } from 'jose';
import * as v from 'valibot';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import type { AskPeer } from './peer-requests.ts';

/** The path at which a region publishes the public keys of its tokens. */
export const regionKeysPath = '/regions/keys';

/** The maximum time until a retired key is rejected. */
const rememberSeconds = 60;
/** The minimum interval between requests for an unknown key id. */
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

export type PeerKeys = {
  /**
   * The region's published key with this id.
   * @throws if the keys must be fetched and the region does not respond
   */
  find: (regionUrl: string, kid: string) => Promise<PeerKey | undefined>;
};

type Known = { keys: Map<string, PeerKey>; fetchedAt: Date };

/** Caches the keys for a minute in each process. Uses the service's clock, which tests can set. */
export function createPeerKeys({ ask, clock }: { ask: AskPeer; clock: Clock }): PeerKeys {
  const known = new Map<string, Known>();
  const askedAt = new Map<string, Date>();
  const pendingRequests = new Map<string, Promise<Known>>();

  async function fetchKeys(regionUrl: string): Promise<Known> {
    askedAt.set(regionUrl, clock.now());
    const { status, text } = await ask(new URL(regionKeysPath, regionUrl), { method: 'GET' });
    if (status !== 200)
      throw new Error(`The request for the keys of ${regionUrl} failed with status ${status}`);
    const keys = new Map<string, PeerKey>();
    for (const jwk of v.parse(publicKeys, JSON.parse(text)).keys) {
      // Ignores `use`, `key_ops` and similar members of the key, which must not decide how it is used here.
      keys.set(jwk.kid, { alg: jwk.alg, key: await importJWK({ ...jwk }, jwk.alg) });
    }
    const fetched = { keys, fetchedAt: clock.now() };
    known.set(regionUrl, fetched);
    return fetched;
  }

  /** Shares one request between concurrent callers. */
  function fetchOnce(regionUrl: string): Promise<Known> {
    const pending = pendingRequests.get(regionUrl);
    if (pending !== undefined) return pending;
    const fetching = fetchKeys(regionUrl).finally(() => pendingRequests.delete(regionUrl));
    pendingRequests.set(regionUrl, fetching);
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
