import { keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import type { AttemptKind } from './limits.ts';
import { countersOfAddress } from './window-counters.ts';
import type { WindowCounter } from './window-counters.ts';

/** The prefix of an account's counter keys; the key of a known browser is longer. */
export function accountCounterPrefix(keyRing: KeyRing, kind: AttemptKind, account: string): string {
  return keyedHash(keyRing, `${kind} account ${account}`);
}

/** The counters of failed attempts from an address. */
export function addressCountersOf(
  keyRing: KeyRing,
  kind: AttemptKind,
  address: string,
  limit: number,
): WindowCounter[] {
  return countersOfAddress(keyRing, `${kind} address`, address, limit);
}
