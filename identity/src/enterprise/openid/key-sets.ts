import { createRemoteJWKSet, customFetch } from 'jose';
import type { JWTVerifyGetKey } from 'jose';
import type { OutgoingFetch } from './outgoing.ts';

/** As for discovery: no request waits longer for another company's server. */
const timeoutMs = 4_000;
/** The minimum interval between requests for an unknown key id. */
const refetchIntervalMs = 60_000;

/**
 * The published keys of the providers, cached in each process and fetched again for an unknown key id. A key that a
 * provider has withdrawn is rejected within ten minutes.
 */
export function createKeySets({ fetch }: { fetch: OutgoingFetch }): (address: string) => JWTVerifyGetKey {
  const known = new Map<string, JWTVerifyGetKey>();
  return (address) => {
    const keys =
      known.get(address) ??
      createRemoteJWKSet(new URL(address), {
        timeoutDuration: timeoutMs,
        cooldownDuration: refetchIntervalMs,
        [customFetch]: (url, { method, headers, signal }) =>
          fetch(url, { method, headers: Object.fromEntries(headers), signal }),
      });
    known.set(address, keys);
    return keys;
  };
}
