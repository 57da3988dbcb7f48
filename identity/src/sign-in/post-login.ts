import type { CallAnswer, CallInput } from '@anteroom/contract';
import { ContractError } from '../http/errors.ts';
import type { Exchange } from '../http/exchange.ts';
import { findBeginning } from '../openid/finish-for-region.ts';
import { buildAuthorizeUrl, buildReturnUrl, parseReturnUrl } from '../openid/return-url.ts';
import { findSignIn, hasUnfollowedSignIn } from '../openid/sign-ins-store.ts';
import type { Services } from '../services.ts';
import { browserIdOf } from './find-sign-in.ts';
import { findSignInOfRegion } from './region-sign-in.ts';

type Needed = Pick<Services, 'config' | 'database' | 'clock' | 'keys' | 'regions'>;

/**
 * Where a finished sign-in goes. Only an authorize address of our own is ever answered, put together anew: with the
 * sign-in's name while this browser has it, without it (which starts the sign-in again, or passes through) otherwise.
 */
export function createGetPostLoginRedirect(services: Needed) {
  const { config, database, clock } = services;
  return async (
    { query }: CallInput<'getPostLoginRedirect'>,
    exchange: Exchange,
  ): Promise<CallAnswer<'getPostLoginRedirect'>> => {
    const address = parseReturnUrl(query.returnUrl, config.publicUrl);
    if (address === undefined)
      throw new ContractError('validation_failed', { detail: 'no return address of ours' });
    const browserId = browserIdOf(await exchange.findSession());
    const own =
      address.uid === undefined || browserId === undefined
        ? undefined
        : await findSignIn(database, address.uid, browserId, clock.now());
    const signIn = own ?? (await findSignInOfRegion(services, query.returnUrl, exchange));
    if (signIn?.region !== undefined) {
      // what was asked of the other region is asked there again, unless it was proved here meanwhile
      return signIn.finishedAt === undefined
        ? { location: `${signIn.region.url}${buildAuthorizeUrl(address.parameters)}` }
        : { location: await findBeginning(services, signIn) };
    }
    const path =
      signIn?.finishedAt === undefined
        ? buildAuthorizeUrl(address.parameters)
        : buildReturnUrl(signIn.uid, signIn.parameters);
    return { location: `${config.publicUrl}${path}` };
  };
}

/** Whether the browser finished a sign-in and has not arrived: then it is sent on its way once more. */
export function createGetRetry({ database, clock }: Needed) {
  return async (_input: CallInput<'getRetry'>, exchange: Exchange): Promise<CallAnswer<'getRetry'>> => {
    const browserId = browserIdOf(await exchange.findSession());
    return {
      retry: browserId !== undefined && (await hasUnfollowedSignIn(database, browserId, clock.now())),
    };
  };
}
