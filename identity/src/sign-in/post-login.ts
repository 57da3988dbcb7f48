import type { CallAnswer, CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { buildAuthorizeUrl, parseReturnUrl } from '../openid/return-url.ts';
import { hasUnfollowedSignIn } from '../sign-ins/sign-ins-store.ts';
import { findAddressToFollow } from './finished-location.ts';
import { findPasskeyOffer } from './passkey-offer.ts';
import type { SignInServices } from './sign-in-services.ts';
import { findSignInNamed } from './visit.ts';

/**
 * Returns the redirect target of a finished sign-in. It is always a newly built authorization URL of this service: with
 * the id of the sign-in while this browser has it, otherwise without, which starts the sign-in again.
 */
export function createGetPostLoginRedirect(services: SignInServices) {
  const { config } = services;
  return async (
    { query }: CallInput<'getPostLoginRedirect'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'getPostLoginRedirect'>> => {
    const address = parseReturnUrl(query.returnUrl, config.publicUrl);
    if (address === undefined)
      throw new ContractError('validation_failed', { detail: 'not a return address of this service' });
    const signIn = await findSignInNamed(services, query.returnUrl, exchange);
    if (signIn?.finishedAt !== undefined) {
      const offer = await findPasskeyOffer(services, signIn, exchange);
      return { location: offer ?? (await findAddressToFollow(services, signIn)) };
    }
    // A request to another region starts again there.
    const base = signIn?.region?.url ?? config.publicUrl;
    return { location: `${base}${buildAuthorizeUrl(address.parameters)}` };
  };
}

/** Returns whether the browser has finished a sign-in but not followed its redirect, so that the page repeats it. */
export function createGetRetry({ database, clock }: Pick<SignInServices, 'database' | 'clock'>) {
  return async (_input: CallInput<'getRetry'>, exchange: Exchange): Promise<CallAnswer<'getRetry'>> => {
    const browserId = await exchange.findBrowserId();
    return {
      retry: browserId !== undefined && (await hasUnfollowedSignIn(database, browserId, clock.now())),
    };
  };
}
