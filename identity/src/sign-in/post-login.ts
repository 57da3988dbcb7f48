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
 * Where a finished sign-in goes. Only an authorize address of our own is ever answered, put together anew: with the
 * sign-in's name while this browser has it, without it (which starts the sign-in again, or passes through) otherwise.
 */
export function createGetPostLoginRedirect(services: SignInServices) {
  const { config } = services;
  return async (
    { query }: CallInput<'getPostLoginRedirect'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'getPostLoginRedirect'>> => {
    const address = parseReturnUrl(query.returnUrl, config.publicUrl);
    if (address === undefined)
      throw new ContractError('validation_failed', { detail: 'no return address of ours' });
    const signIn = await findSignInNamed(services, query.returnUrl, exchange);
    if (signIn?.finishedAt !== undefined) {
      const offer = await findPasskeyOffer(services, signIn, exchange);
      return { location: offer ?? (await findAddressToFollow(services, signIn)) };
    }
    // a request to another region starts again there
    const base = signIn?.region?.url ?? config.publicUrl;
    return { location: `${base}${buildAuthorizeUrl(address.parameters)}` };
  };
}

/** Whether the browser finished a sign-in and has not arrived: then it is sent on its way once more. */
export function createGetRetry({ database, clock }: Pick<SignInServices, 'database' | 'clock'>) {
  return async (_input: CallInput<'getRetry'>, exchange: Exchange): Promise<CallAnswer<'getRetry'>> => {
    const browserId = await exchange.findBrowserId();
    return {
      retry: browserId !== undefined && (await hasUnfollowedSignIn(database, browserId, clock.now())),
    };
  };
}
