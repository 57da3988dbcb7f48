import { knowsExtension } from '../http/exchange.ts';
import { pageAddress } from '../http/page-addresses.ts';
import { buildReturnUrl } from '../provider/return-url.ts';
import { mayOfferPasskey } from '../factors/passkeys-store.ts';
import { isFresh, listFresh, reachesSecondFactor } from '../sessions/assurance.ts';
import { isAdaptive } from './second-factor-step.ts';
import type { SignInServices } from './sign-in-services.ts';
import { methodsOf } from './proofs.ts';
import type { Visit } from './visit.ts';

/**
 * The address of the page that offers a passkey after a finished sign-in. Undefined unless the user entered a password
 * and a code, the computer is not public, the user has not answered "Not now" in the last 90 days, and the page has
 * found out that the browser can create a passkey.
 */
export async function findPasskeyOffer(services: SignInServices, visit: Visit): Promise<string | undefined> {
  const { config, database, clock } = services;
  const { signIn } = visit;
  const isDue =
    services.passkeys !== undefined &&
    signIn.region === undefined &&
    knowsExtension(visit.exchange, 'passkey-offer') &&
    visit.evidence['public-computer'] === undefined &&
    hasProvedBoth(visit, clock.now()) &&
    // If the page does not ask whether the computer is public, treat it as public.
    (await isAdaptive(services, signIn, visit.site)) &&
    (await mayOfferPasskey(database, visit.user.id, clock.now()));
  if (!isDue) return undefined;
  return pageAddress(config.publicUrl, 'passkey', {
    ReturnUrl: buildReturnUrl(signIn.uid, signIn.parameters),
    // in the middle of a visit, the splash would only delay the user by a second
    skip_splash: 'true',
  });
}

/**
 * Whether the user has recently proved a password and a second factor in this sign-in. A session alone is not
 * sufficient, because it may be stolen.
 */
export function hasProvedBoth({ evidence, session }: Visit, now: Date): boolean {
  return (
    session !== undefined &&
    evidence.password !== undefined &&
    isFresh(evidence.password.at, now) &&
    reachesSecondFactor(listFresh(methodsOf(evidence, undefined), now))
  );
}
