import { createRemoteJWKSet, customFetch } from 'jose';
import type { JWTVerifyGetKey } from 'jose';
import type { OutgoingFetch } from './outgoing.ts';

/** As for discovery: nobody waits on another company's machine for longer. */
const answerWithinMs = 4_000;
/** A key that nobody knows is asked for at most this often. */
const askAgainMs = 60_000;

/**
 * The keys that providers publish, kept in each process and asked for when a message names one that is not known. What is signed with a key
 * that is published no more is refused ten minutes later at the latest.
 */
export function createKeySets({ fetch }: { fetch: OutgoingFetch }): (address: string) => JWTVerifyGetKey {
  const known = new Map<string, JWTVerifyGetKey>();
  return (address) => {
    const keys =
      known.get(address) ??
      createRemoteJWKSet(new URL(address), {
        timeoutDuration: answerWithinMs,
        cooldownDuration: askAgainMs,
        [customFetch]: (url, { method, headers, signal }) =>
          fetch(url, { method, headers: Object.fromEntries(headers), signal }),
      });
    known.set(address, keys);
    return keys;
  };
}
