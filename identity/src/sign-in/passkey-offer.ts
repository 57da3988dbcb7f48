import type { Exchange } from '../http/exchange.ts';
import { knowsExtension } from '../http/extensions.ts';
import { pageAddress } from '../http/page-addresses.ts';
import { buildReturnUrl } from '../openid/return-url.ts';
import { mayOfferPasskey } from '../passkeys/passkeys-store.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';
import { isAdaptive } from './second-step.ts';
import { isFresh } from './sign-in-facts.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findVisit } from './visit.ts';
import type { Visit } from './visit.ts';

/**
 * The page that asks the user of a finished sign-in about a passkey: after a password and a code, on a computer that the user has not
 * called a public one, where the page knows passkeys; not again for 90 days after "Not now".
 */
export async function findPasskeyOffer(
  services: SignInServices,
  signIn: SignIn,
  exchange: Exchange,
): Promise<string | undefined> {
  const { config, database, clock } = services;
  if (services.passkeys === undefined || signIn.region !== undefined) return undefined;
  if (!knowsExtension(exchange, 'passkeys')) return undefined;
  const visit = await findVisit(services, signIn, exchange);
  const isDue =
    visit !== undefined &&
    visit.evidence['public-computer'] === undefined &&
    hasProvedBoth(visit, clock.now()) &&
    // where no visitor is asked whether the computer is a public one, none is taken for a private one
    (await isAdaptive(services, signIn, visit.site)) &&
    (await mayOfferPasskey(database, visit.person.id, clock.now()));
  if (!isDue) return undefined;
  return pageAddress(config.publicUrl, 'passkey', {
    ReturnUrl: buildReturnUrl(signIn.uid, signIn.parameters),
  });
}

/** Whether the user has proved a password and a code in this sign-in, a few minutes ago: a session alone, which may be stolen, is not enough. */
export function hasProvedBoth({ evidence, session }: Visit, now: Date): boolean {
  const code = evidence['sms-code'] ?? evidence['authenticator-code'];
  return (
    session !== undefined &&
    [evidence.password, code].every((proof) => proof !== undefined && isFresh(proof.at, now))
  );
}
