import { ContractError } from '../http/errors.ts';
import { createAllowances } from './allowances.ts';

const windowSeconds = 10 * 60;
/** More than users need without a session, and too few for an attack. */
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
  const figures = { count: requestsPerTenMinutes, windowSeconds };
  const isBrowserAllowed = async (secret: string): Promise<boolean> =>
    (await allowances.take('anonymous request of browser', secret, ofKnownBrowser)) === undefined;

  return async ({ address, browserSecret }) => {
    if (browserSecret !== undefined && (await isBrowserAllowed(browserSecret))) return;
    const retryAfterSeconds = await allowances.take('anonymous request', { address }, figures);
    if (retryAfterSeconds === undefined) return;
    dependencies.countLimited('address');
    const detail = 'too many requests without a session from this address';
    throw new ContractError('rate_limit_reached', { retryAfterSeconds, detail });
  };
}
