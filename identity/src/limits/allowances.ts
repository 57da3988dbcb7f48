import { sql } from 'kysely';
import { addSeconds } from '../lib/clock.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import { ContractError } from '../http/errors.ts';
import type { Config } from '../config/config.ts';
import type { StoreContext } from '../store/store-context.ts';
import { countEach, countOfCounted, countersOfAddress, refundEach } from './window-counters.ts';
import type { WindowCounter } from './window-counters.ts';

/** A fixed-window limit that counts every attempt, successful or not. */
export type AllowanceLimit = { count: number; windowSeconds: number };

/**
 * The holder of a limit: a visitor's address, which counts with its ranges (`lib/visitor-address.ts`), or any other
 * text.
 */
export type AllowanceHolder = { address: string } | string;

export type Allowances = {
  /**
   * Counts one use of `what` by `who`. A single conditional statement ensures that parallel callers on any number of
   * nodes cannot exceed the limit. Returns undefined if the use is permitted, otherwise the seconds to wait.
   */
  take: (what: string, who: AllowanceHolder, limit: AllowanceLimit) => Promise<number | undefined>;
  /** Reverts one use that turned out to be harmless. */
  revert: (what: string, who: AllowanceHolder) => Promise<void>;
};

/**
 * Limits actions of visitors that are not failures, such as sending messages. The job that prunes the table `limits`
 * also deletes its expired rows.
 */
export function createAllowances(dependencies: Omit<StoreContext, 'random'>): Allowances {
  const { database, clock, keyRing } = dependencies;

  function countersOf(what: string, who: AllowanceHolder, count = 0): WindowCounter[] {
    const name = `${what} allowance`;
    return typeof who === 'string'
      ? [{ key: keyedHash(keyRing, `${name} ${who}`), limit: count }]
      : countersOfAddress(keyRing, name, who.address, count);
  }

  return {
    async take(what, who, { count, windowSeconds }) {
      const now = clock.now();
      const counters = countersOf(what, who, count);
      const keys = sql`string_to_array(${counters.map(({ key }) => key).join(',')}, ',')`;
      const { rows } = await sql<{ counted: number; expires_at: Date | null }>`
        with ${sql.join(countEach(counters, now, addSeconds(now, windowSeconds)))},
          taken as (select ${countOfCounted(counters)} as counted)
        select counted, (select expires_at from limits where key = (${keys})[counted + 1]) as expires_at
        from taken`.execute(database);
      const [row] = rows;
      if (row?.counted === counters.length) return undefined;
      const leftSeconds = Math.ceil(((row?.expires_at?.getTime() ?? 0) - now.getTime()) / 1000);
      return Math.max(1, leftSeconds);
    },

    async revert(what, who) {
      await sql`with ${sql.join(refundEach(countersOf(what, who)))} select`.execute(database);
    },
  };
}

const windowSeconds = 10 * 60;
/** The limits of a known browser: more than its users need or mistype, and too few for an attack. */
const ofKnownBrowser = { count: 30, windowSeconds };

/**
 * Limits what anonymous visitors can write to the database: sessions, sign-ins, sign-outs and error records, in one
 * count per address. A known browser has its own count first, so that an attacker behind the same address cannot block
 * its users (attacks and faults, S34).
 */
export function createAnonymousAllowance(
  dependencies: Parameters<typeof createAllowances>[0] & { countLimited: (by: 'address') => void },
  requestsPerTenMinutes: number,
): (visitor: { address: string; browserSecret: string | undefined }) => Promise<void> {
  const allowances = createAllowances(dependencies);
  const ofAddress = { count: requestsPerTenMinutes, windowSeconds };
  const isBrowserAllowed = async (secret: string): Promise<boolean> =>
    (await allowances.take('anonymous request of browser', secret, ofKnownBrowser)) === undefined;

  return async ({ address, browserSecret }) => {
    if (browserSecret !== undefined && (await isBrowserAllowed(browserSecret))) return;
    const retryAfterSeconds = await allowances.take('anonymous request', { address }, ofAddress);
    if (retryAfterSeconds === undefined) return;
    dependencies.countLimited('address');
    const detail = 'too many requests without a session from this address';
    throw new ContractError('rate_limit_reached', { retryAfterSeconds, detail });
  };
}

/** Limits look-ups of unknown sites in the same way as guesses of passwords. */
type SiteGuesses = {
  /**
   * Looks a site up. The attempt is counted in advance and reverted if the site exists. A burst therefore cannot
   * exceed the limit, and an address over its limit learns nothing about any site.
   * @throws `rate_limit_reached` with `Retry-After`
   */
  guess: <Found>(
    visitor: { address: string; browserSecret: string | undefined },
    find: () => Promise<Found | undefined>,
  ) => Promise<Found | undefined>;
};

export function createSiteGuesses(
  dependencies: Parameters<typeof createAllowances>[0] & { countLimited: (by: 'address') => void },
  limits: Pick<Config['limits'], 'addressFailures' | 'addressWindowSeconds'>,
): SiteGuesses {
  const allowances = createAllowances(dependencies);
  const ofAddress = { count: limits.addressFailures, windowSeconds: limits.addressWindowSeconds };

  return {
    async guess({ address, browserSecret }, find) {
      if (browserSecret !== undefined) {
        // A known browser has its own count, so that an attacker behind the same address cannot block its users
        // (attacks and faults, S34).
        const found = await find();
        const isSpared =
          found !== undefined ||
          (await allowances.take('site guess of browser', browserSecret, ofKnownBrowser)) === undefined;
        if (isSpared) return found;
      }
      const retryAfterSeconds = await allowances.take('site guess', { address }, ofAddress);
      if (retryAfterSeconds !== undefined) {
        dependencies.countLimited('address');
        throw new ContractError('rate_limit_reached', {
          retryAfterSeconds,
          detail: 'too many look-ups of unknown sites from this address',
        });
      }
      const found = await find();
      if (found !== undefined) await allowances.revert('site guess', { address });
      return found;
    },
  };
}
