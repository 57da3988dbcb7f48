import type { Middleware } from 'koa';
import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Services } from '../services.ts';
import type { Exchanges } from './exchanges.ts';
import { showFailure } from './failures.ts';
import { authorizePath, signOutPath } from './return-url.ts';

/**
 * What an application may ask for in one address, which the address of the sign-in page repeats (encoded once more, and that must
 * still be an address that every proxy takes). Twice the longest `state` of a known library; thousands of scopes are an attack.
 */
export const authorizeQueryLimit = 6 * 1024;

/** What is stored of a request, twice (the provider's interaction and our sign-in), for whoever sends one. */
const storedBytesLimit = 4 * 1024;

/** Refuses a longer one before anything of it is read (attacks and faults, S54). */
export function createSizeGate(services: Services, exchanges: Exchanges): Middleware {
  return async (ctx, next) => {
    const isStored = ctx.path === authorizePath || ctx.path === signOutPath;
    if (!isStored || ctx.search.length <= authorizeQueryLimit) {
      await next();
      return;
    }
    const failure = { error: 'invalid_request', error_description: 'the request is too long' };
    await showFailure(services, ctx, failure, exchanges.require(ctx.req));
  };
}

/**
 * Refuses to store more of a request than any application needs, before anything is written (attacks and faults, S67), and what a client
 * pushes that does not authenticate: anybody could.
 * @throws `invalid_request`, which the application is told: its address has been checked by then
 */
export function requireStorable({ oidc }: KoaContextWithOIDC): void {
  if (oidc.route === 'pushed_authorization_request' && oidc.client?.clientAuthMethod === 'none')
    throw new errors.InvalidRequest('a public client sends its request by the browser, not to this endpoint');
  const bytes = Buffer.byteLength(JSON.stringify(oidc.params ?? {}));
  if (bytes > storedBytesLimit)
    throw new errors.InvalidRequest(`the parameters together must not exceed ${storedBytesLimit} bytes`);
}
