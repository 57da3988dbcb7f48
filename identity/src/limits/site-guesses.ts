import type { Config } from '../config.ts';
import { ContractError } from '../http/errors.ts';
import { createAllowances } from './allowances.ts';

/** Limits look-ups of unknown sites, so that guessing site names is as limited as guessing passwords. */
export type SiteGuesses = {
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

/** More than a user's typing errors. */
const ofKnownBrowser = { count: 30, windowSeconds: 10 * 60 };

export function createSiteGuesses(
  dependencies: Parameters<typeof createAllowances>[0] & { countLimited: (by: 'address') => void },
  figures: Pick<Config['limits'], 'addressFailures' | 'addressWindowSeconds'>,
): SiteGuesses {
  const allowances = createAllowances(dependencies);
  const ofAddress = { count: figures.addressFailures, windowSeconds: figures.addressWindowSeconds };

  return {
    async guess({ address, browserSecret }, find) {
      if (browserSecret !== undefined) {
        // an attacker behind the same address cannot block the users of a known browser (attacks and faults, S34)
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
