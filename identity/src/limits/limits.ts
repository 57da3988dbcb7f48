import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import { ContractError } from '../http/errors.ts';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { StoreContext } from '../store/store-context.ts';
import { waitSecondsAfter } from './waits.ts';
import {
  accountCounterPrefix,
  addressCountersOf,
  countEach,
  countOfCounted,
  fromLastCounted,
  refundEach,
} from './window-counters.ts';
import type { WindowCounter, AttemptKind } from './window-counters.ts';

export type AttemptSubject = {
  kind: AttemptKind;
  /** The user's id, or the normalised sign-in name (`signInNameKey`) of an unknown user, who is counted in the same way. */
  account: string;
  /** The visitor's address; an IPv6 address counts with its /64 and its /48. */
  address: string;
  /**
   * The secret of a browser that this user has signed in with before. Such a browser has its own counter for the
   * account and does not count by its address, so that an attacker cannot lock the user out with deliberate failures
   * (attacks and faults, S34).
   */
  knownBrowser?: string;
};

/**
 * A permitted attempt. It is counted as a failure in advance, so that a burst cannot exceed the limit. After a failure,
 * no further call is necessary.
 */
export type Attempt = {
  /** Reports success: resets the account's count and reverts the count of the address. */
  succeeded: () => Promise<void>;
  /**
   * Does the same as `succeeded`, as parts of a larger statement (`with …`). They apply only if the part `when` returns
   * a row.
   */
  succeeding: (when: RawBuilder<unknown>) => RawBuilder<unknown>[];
  /** Reverts both counts, because the attempt had no result (for example, if the service was overloaded). */
  withdraw: () => Promise<void>;
};

export type Limits = {
  /**
   * Rejects an address that this node has just rejected, without a query, so that hundreds of such requests a second
   * cost little. `attempt` does the same.
   * @throws `rate_limit_reached` with `Retry-After`
   */
  requireNotHeld: (kind: AttemptKind, address: string) => void;
  /**
   * Call this BEFORE any work that is expensive or reveals information.
   * @throws `rate_limit_reached` with `Retry-After` while the account or the address must wait
   */
  attempt: (subject: AttemptSubject) => Promise<Attempt>;
  /**
   * Whether the account is locked by too many consecutive failures, so that only a reset can unlock it. Waits are
   * ignored, because any visitor can cause them and they must not affect a signed-in user (attacks and faults, S34).
   */
  isLocked: (kind: AttemptKind, account: string) => Promise<boolean>;
  /** Resets all counters of an account that was verified in another way (a password reset). */
  forgive: (kind: AttemptKind, account: string) => Promise<void>;
};

/** A counter of consecutive failures is deleted after this long without an attempt. */
const forgetSeconds = 30 * 24 * 60 * 60;
/**
 * An exhausted counter is not deleted, because only a password reset unlocks the account (NIST SP 800-63B-4, 3.2.2).
 */
const neverForgetSeconds = 100 * 365 * 24 * 60 * 60;

/**
 * Counts an attempt in one conditional statement, so that of 100 parallel attempts on any number of nodes, exactly the
 * permitted number succeeds. The ranges of the address always come before the account, to avoid deadlocks.
 * `docs/decisions/006-limits-in-one-statement.md` explains why this is not a library.
 */
export function createLimits(
  {
    database,
    clock,
    keyRing,
    countLimited,
  }: Omit<StoreContext, 'random'> & { countLimited: (by: 'account' | 'address') => void },
  options: Config['limits'],
): Limits {
  /** The wait in seconds after the first, second, … failure. The last value also applies to all further failures. */
  const waits: number[] = [];
  while (
    waits.at(-1) !== options.accountLongestWaitSeconds &&
    waits.length < options.accountConsecutiveFailures
  ) {
    waits.push(waitSecondsAfter(waits.length + 1, options));
  }

  const accountKey = ({ kind, account, knownBrowser }: AttemptSubject): string =>
    `${accountPrefix(kind, account)}.${knownBrowser === undefined ? '' : keyedHash(keyRing, `browser ${knownBrowser}`)}`;
  const accountPrefix = (kind: AttemptKind, account: string): string =>
    accountCounterPrefix(keyRing, kind, account);
  /**
   * A known browser does not count by its address, because an attacker behind the same address could exhaust that
   * count.
   */
  const addressCounters = ({ kind, address, knownBrowser }: AttemptSubject): WindowCounter[] =>
    knownBrowser === undefined ? addressCountersOf(keyRing, kind, address, options.addressFailures) : [];

  const held = createHeldAddresses(clock);

  function requireNotHeld(counters: readonly WindowCounter[]): void {
    for (const { key } of counters) {
      const until = held.find(key);
      if (until !== undefined) throw refusal('address', until);
    }
  }

  async function refuse(by: 'account' | 'address', key: string): Promise<never> {
    const row = await database
      .selectFrom('limits')
      .select(['blocked_until', 'expires_at'])
      .where('key', '=', key)
      .executeTakeFirst();
    if (by === 'address' && row !== undefined) held.hold(key, row.expires_at);
    throw refusal(by, (by === 'address' ? row?.expires_at : row?.blocked_until) ?? undefined);
  }

  function refusal(by: 'account' | 'address', until: Date | undefined): ContractError {
    countLimited(by);
    const leftSeconds = Math.ceil(((until?.getTime() ?? 0) - clock.now().getTime()) / 1000);
    return new ContractError('rate_limit_reached', {
      retryAfterSeconds: leftSeconds > 0 ? leftSeconds : options.accountLongestWaitSeconds,
      detail: `too many failures of the ${by}`,
    });
  }

  return {
    requireNotHeld: (kind, address) => requireNotHeld(addressCounters({ kind, address, account: '' })),

    async attempt(subject) {
      const now = clock.now();
      const counters = addressCounters(subject);
      requireNotHeld(counters);
      const account = accountKey(subject);
      const waitAfter = sql`(string_to_array(${waits.join(',')}, ',')::int[])`;
      const countAccount = sql`account as (
        insert into limits (key, used, blocked_until, expires_at)
        select ${account}, 1, ${addSeconds(now, waits[0] ?? 0)}::timestamptz, ${addSeconds(now, forgetSeconds)}::timestamptz
        ${fromLastCounted(counters)}
        on conflict (key) do update set
          used = limits.used + 1,
          blocked_until = ${now}::timestamptz + make_interval(
            secs => ${waitAfter}[least(limits.used + 1, ${waits.length})]),
          expires_at = case when limits.used + 1 < ${options.accountConsecutiveFailures}
            then excluded.expires_at else ${addSeconds(now, neverForgetSeconds)}::timestamptz end
        where (limits.blocked_until is null or limits.blocked_until <= ${now})
          and limits.used < ${options.accountConsecutiveFailures}
        returning used)`;
      const counting = [
        ...countEach(counters, now, addSeconds(now, options.addressWindowSeconds)),
        countAccount,
      ];
      const { rows } = await sql<{ ranges: number; account: number | null }>`
        with ${sql.join(counting)}
        select ${countOfCounted(counters)} as ranges, (select used from account) as account`.execute(
        database,
      );

      const full = counters[rows[0]?.ranges ?? 0];
      if (full !== undefined) return await refuse('address', full.key);
      if (rows[0]?.account == null) return await refuse('account', account);

      const succeeding: Attempt['succeeding'] = (when) => {
        return [
          ...refundEach(counters, { last: account, when: sql`exists (select from ${when})` }),
          sql`forgotten as (delete from limits using locked where limits.key = locked.key and limits.key = ${account})`,
        ];
      };
      return {
        succeeding,
        async succeeded() {
          await sql`with ${sql.join(succeeding(sql`(select 1) decided`))} select`.execute(database);
        },
        async withdraw() {
          const withdrawn = sql`withdrawn as (
            update limits set used = limits.used - 1, blocked_until = null from locked
            where limits.key = locked.key and limits.key = ${account} and limits.used > 0)`;
          const parts = [...refundEach(counters, { last: account }), withdrawn];
          await sql`with ${sql.join(parts)} select`.execute(database);
        },
      };
    },

    async isLocked(kind, account) {
      const row = await database
        .selectFrom('limits')
        .select('used')
        .where('key', '=', `${accountPrefix(kind, account)}.`)
        .executeTakeFirst();
      return row !== undefined && row.used >= options.accountConsecutiveFailures;
    },

    async forgive(kind, account) {
      await database
        .deleteFrom('limits')
        .where(sql<boolean>`starts_with(key, ${accountPrefix(kind, account)})`)
        .execute();
    },
  };
}

/** After this time, the database is queried again, because a reverted attempt may have made room. */
const longestHoldMs = 5_000;
/**
 * The maximum number of remembered addresses; the oldest entries are dropped. Against a flood from more addresses,
 * remembering them does not help.
 */
const maximumAddresses = 10_000;

type HeldAddresses = {
  hold: (key: string, until: Date) => void;
  /** When the address can try again, if this node remembers it. */
  find: (key: string) => Date | undefined;
};

/** Remembers rejected addresses in this node's memory, to save queries during a flood. The database remains authoritative. */
export function createHeldAddresses(clock: Clock): HeldAddresses {
  const held = new Map<string, { until: Date; askAgainAt: number }>();
  return {
    hold(key, until) {
      const askAgainAt = Math.min(until.getTime(), clock.now().getTime() + longestHoldMs);
      held.delete(key);
      held.set(key, { until, askAgainAt });
      const oldest = held.keys().next().value;
      if (held.size > maximumAddresses && oldest !== undefined) held.delete(oldest);
    },
    find(key) {
      const entry = held.get(key);
      if (entry === undefined) return undefined;
      if (clock.now().getTime() < entry.askAgainAt) return entry.until;
      held.delete(key);
      return undefined;
    },
  };
}
