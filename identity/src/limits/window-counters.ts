import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import { countedRanges } from '../lib/visitor-address.ts';
import { arrayOf } from '../store/array-of.ts';

/** The purpose of an attempt; each has separate counters. */
export type AttemptKind = 'password' | 'second-factor';

/** A row of `limits` that counts in a fixed window, and its limit. */
export type WindowCounter = { key: string; limit: number };

type Sql = RawBuilder<unknown>;

/** Returns one counter for each range of the address, the smallest range first. */
export function countersOfAddress(
  keyRing: KeyRing,
  name: string,
  address: string,
  limit: number,
): WindowCounter[] {
  return countedRanges(address).map(({ range, share }) => ({
    key: keyedHash(keyRing, `${name} ${range}`),
    limit: limit * share,
  }));
}

const counted = (index: number): Sql => sql.raw(`counted${index}`);

/**
 * The parts of a `with` clause that increment each counter. A counter is incremented only if the previous counter had
 * room. All statements therefore lock the rows of an address in the same order, which avoids deadlocks.
 */
export function countEach(counters: readonly WindowCounter[], now: Date, windowEnd: Date): Sql[] {
  return counters.map(
    ({ key, limit }, index) => sql`${counted(index)} as (
      insert into limits (key, used, expires_at)
      select ${key}, 1, ${windowEnd}::timestamptz ${fromLastCounted(counters.slice(0, index))}
      on conflict (key) do update set
        used = case when limits.expires_at <= ${now} then 1 else limits.used + 1 end,
        expires_at = case when limits.expires_at <= ${now} then excluded.expires_at else limits.expires_at end
      where limits.expires_at <= ${now} or limits.used < ${limit}
      returning 1)`,
  );
}

/** The `from` clause that returns a row if all counters had room, for a counter that comes after them. */
export function fromLastCounted(counters: readonly WindowCounter[]): Sql {
  return counters.length === 0 ? sql`` : sql`from ${counted(counters.length - 1)}`;
}

/** The number of counters that had room, which is also the index of the first counter without room. */
export function countOfCounted(counters: readonly WindowCounter[]): Sql {
  const counts = counters.map((_, index) => sql`(select count(*)::int from ${counted(index)})`);
  return sql.join([sql`0`, ...counts], sql` + `);
}

/**
 * The parts of a `with` clause that decrement the counters if `when` is true. `locked` locks their rows in this order,
 * then that of the key `last`, which another part changes (`order by` with `for update` locks in the order of the rows).
 */
export function refundEach(
  counters: readonly WindowCounter[],
  { last, when = sql`true` }: { last?: string; when?: Sql } = {},
): Sql[] {
  const refunded = counters.map(({ key }) => key);
  const keys = arrayOf(last === undefined ? refunded : [...refunded, last]);
  return [
    sql`locked as (
      select key from limits where key = any(${keys}) and ${when} order by array_position(${keys}, key) for update)`,
    sql`refunded as (
      update limits set used = limits.used - 1 from locked
      where limits.key = locked.key and limits.key = any(${arrayOf(refunded)}) and limits.used > 0)`,
  ];
}

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
