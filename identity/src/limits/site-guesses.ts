import type { Config } from '../config.ts';
import { ContractError } from '../http/errors.ts';
import { createAllowances } from './allowances.ts';

/** Counts the look-ups of visitors that find no site: whoever tries names may learn of as few as whoever tries passwords. */
export type SiteGuesses = {
  /**
   * Looks a site up. The guess is counted in advance and returned when the site is there, so that a burst cannot slip through and an address
   * over its limit learns nothing, of sites that are there and of others.
   * @throws `rate_limit_reached` with `Retry-After`.
   */
  guess: <Found>(
    visitor: { address: string; browserSecret: string | undefined },
    find: () => Promise<Found | undefined>,
  ) => Promise<Found | undefined>;
};

/** More typing errors than a user makes. */
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
        // a stranger behind the same address cannot keep the users of a known browser out (attacks and faults, S34)
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
          detail: 'the address has looked for too many sites that are not there',
        });
      }
      const found = await find();
      if (found !== undefined) await allowances.giveBack('site guess', { address });
      return found;
    },
  };
}
