import { ContractError } from '../http/errors.ts';
import { createAllowances } from './allowances.ts';

const windowSeconds = 10 * 60;
/** More than a user begins without a session, and too few to be worth an account. */
const ofKnownBrowser = { count: 30, windowSeconds };

/**
 * Limits what visitors who are not signed in may leave in the database: sessions, sign-ins, sign-outs and error records, all in one
 * count for an address. A known browser has a count of its own first, so that a stranger behind the same address cannot keep its users
 * out (attacks and faults, S34).
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
    const detail = 'too many requests of the address without a session';
    throw new ContractError('rate_limit_reached', { retryAfterSeconds, detail });
  };
}
