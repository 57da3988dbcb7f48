import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { ContractError } from '../http/errors.ts';
import { addSeconds } from '../lib/clock.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import type { KeyRing } from '../lib/keyed-hash.ts';
import { deleteInBatches } from '../store/delete-in-batches.ts';
import type { Database } from '../store/schema.ts';
import { countedAddress } from './counted-address.ts';
import { createHeldAddresses } from './held-addresses.ts';
import type { AttemptSubject, Limits } from './limits.ts';
import { waitSecondsAfter } from './waits.ts';

/** A counter of failures in a row is forgotten after this long without an attempt. */
const forgetSeconds = 30 * 24 * 60 * 60;
/** One that has reached its end stays: only a reset of the password opens the account again (NIST SP 800-63B-4, 3.2.2). */
const neverForgetSeconds = 100 * 365 * 24 * 60 * 60;

/**
 * Both counters of an attempt in one conditional statement, the address first and then the account, so that of 100 parallel
 * attempts on any number of nodes exactly as many get through as are allowed, and statements never wait for each other
 * crosswise. Why not a library: `docs/decisions/006-limits-in-one-statement.md`.
 */
export function createLimits(
  dependencies: {
    database: Database;
    clock: Clock;
    keyRing: KeyRing;
    countLimited: (by: 'account' | 'address') => void;
  },
  figures: Config['limits'],
): Limits {
  const { database, clock, keyRing, countLimited } = dependencies;

  /** Seconds to wait after the first, second, … failure; the last one holds from there on. */
  const waits: number[] = [];
  while (
    waits.at(-1) !== figures.accountLongestWaitSeconds &&
    waits.length < figures.accountConsecutiveFailures
  ) {
    waits.push(waitSecondsAfter(waits.length + 1, figures));
  }

  const accountKey = ({ kind, account, knownBrowser }: AttemptSubject): string =>
    `${accountPrefix(kind, account)}.${knownBrowser === undefined ? '' : keyedHash(keyRing, `browser ${knownBrowser}`)}`;
  const accountPrefix = (kind: string, account: string): string =>
    keyedHash(keyRing, `${kind} account ${account}`);
  const addressKey = ({ kind, address }: AttemptSubject): string =>
    keyedHash(keyRing, `${kind} address ${countedAddress(address)}`);

  const held = createHeldAddresses(clock);
  const heldKey = ({ kind, address }: Pick<AttemptSubject, 'kind' | 'address'>): string =>
    `${kind} ${countedAddress(address)}`;

  async function refuse(by: 'account' | 'address', subject: AttemptSubject, key: string): Promise<never> {
    const row = await database
      .selectFrom('limits')
      .select(['blocked_until', 'expires_at'])
      .where('key', '=', key)
      .executeTakeFirst();
    if (by === 'address' && row !== undefined) held.hold(heldKey(subject), row.expires_at);
    throw refusal(by, (by === 'address' ? row?.expires_at : row?.blocked_until) ?? undefined);
  }

  function refusal(by: 'account' | 'address', until: Date | undefined): ContractError {
    countLimited(by);
    const leftSeconds = Math.ceil(((until?.getTime() ?? 0) - clock.now().getTime()) / 1000);
    return new ContractError('rate_limit_reached', {
      retryAfterSeconds: leftSeconds > 0 ? leftSeconds : figures.accountLongestWaitSeconds,
      detail: `too many failures of the ${by}`,
    });
  }

  return {
    requireNotHeld(kind, address) {
      const until = held.find(heldKey({ kind, address }));
      if (until !== undefined) throw refusal('address', until);
    },

    async attempt(subject) {
      const now = clock.now();
      const keys = { address: addressKey(subject), account: accountKey(subject) };
      const windowEnd = addSeconds(now, figures.addressWindowSeconds);
      const waitAfter = sql`(string_to_array(${waits.join(',')}, ',')::int[])`;
      const { rows } = await sql<{ address: number | null; account: number | null }>`
        with address as (
          insert into limits (key, used, expires_at) values (${keys.address}, 1, ${windowEnd})
          on conflict (key) do update set
            used = case when limits.expires_at <= ${now} then 1 else limits.used + 1 end,
            expires_at = case when limits.expires_at <= ${now} then excluded.expires_at else limits.expires_at end
          where limits.expires_at <= ${now} or limits.used < ${figures.addressFailures}
          returning used
        ), account as (
          insert into limits (key, used, blocked_until, expires_at)
          select ${keys.account}, 1, ${addSeconds(now, waits[0] ?? 0)}::timestamptz, ${addSeconds(now, forgetSeconds)}::timestamptz
          from address
          on conflict (key) do update set
            used = limits.used + 1,
            blocked_until = ${now}::timestamptz + make_interval(
              secs => ${waitAfter}[least(limits.used + 1, ${waits.length})]),
            expires_at = case when limits.used + 1 < ${figures.accountConsecutiveFailures}
              then excluded.expires_at else ${addSeconds(now, neverForgetSeconds)}::timestamptz end
          where (limits.blocked_until is null or limits.blocked_until <= ${now})
            and limits.used < ${figures.accountConsecutiveFailures}
          returning used
        )
        select (select used from address) as address, (select used from account) as account`.execute(
        database,
      );

      const counted = rows[0];
      if (counted?.address == null) return await refuse('address', subject, keys.address);
      if (counted.account === null) return await refuse('account', subject, keys.account);

      // The address first here too; `count(*)` makes the second part wait for the first.
      const refundAddress = sql`refunded as (
        update limits set used = used - 1 where key = ${keys.address} and used > 0 returning 1)`;
      return {
        async succeeded() {
          await sql`with ${refundAddress}
            delete from limits where key = ${keys.account} and (select count(*) from refunded) >= 0`.execute(
            database,
          );
        },
        async withdraw() {
          await sql`with ${refundAddress}
            update limits set used = used - 1, blocked_until = null
            where key = ${keys.account} and used > 0 and (select count(*) from refunded) >= 0`.execute(
            database,
          );
        },
      };
    },

    async isLocked(kind, account) {
      const row = await database
        .selectFrom('limits')
        .select('used')
        .where('key', '=', `${accountPrefix(kind, account)}.`)
        .executeTakeFirst();
      return row !== undefined && row.used >= figures.accountConsecutiveFailures;
    },

    async forgive(kind, account) {
      await database
        .deleteFrom('limits')
        .where(sql<boolean>`starts_with(key, ${accountPrefix(kind, account)})`)
        .execute();
    },

    prune: () =>
      deleteInBatches(database, { table: 'limits', key: ['key'] }, sql`expires_at <= ${clock.now()}`),
  };
}
