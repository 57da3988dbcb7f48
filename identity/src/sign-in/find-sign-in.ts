import type { Exchange } from '../http/exchange.ts';
import { ContractError } from '../http/errors.ts';
import { parseReturnUrl } from '../openid/return-url.ts';
import { findSignIn } from '../openid/sign-ins-store.ts';
import type { SignIn } from '../openid/sign-ins-store.ts';
import type { Services } from '../services.ts';
import { findSignInOfRegion } from './region-sign-in.ts';
import type { FoundSession } from '../sessions/session.ts';

type Needed = Pick<Services, 'config' | 'database' | 'clock' | 'keys' | 'regions'>;

/**
 * The sign-in that a return address names, in the browser that started it; or the one that it names at another region, whose page calls.
 * @throws `not_found` for any other address, another browser, or a sign-in that is over: none can be told from the others.
 */
export async function requireSignIn(
  services: Needed,
  returnUrl: string | undefined,
  exchange: Exchange,
): Promise<SignIn> {
  const { config, database, clock } = services;
  const uid = parseReturnUrl(returnUrl, config.publicUrl)?.uid;
  const browserId = browserIdOf(await exchange.findSession());
  const own =
    uid === undefined || browserId === undefined
      ? undefined
      : await findSignIn(database, uid, browserId, clock.now());
  const signIn = own ?? (await findSignInOfRegion(services, returnUrl, exchange));
  if (signIn === undefined)
    throw new ContractError('not_found', { detail: 'no such sign-in in this browser' });
  return signIn;
}

/** What stays the same while a browser's session ids change. */
export function browserIdOf(found: FoundSession): string | undefined {
  return found.state === 'expired' ? found.browserId : found.session?.browserId;
}
