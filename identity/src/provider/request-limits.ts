import type { Middleware } from 'koa';
import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Services } from '../services.ts';
import { areStorable, parametersLimitBytes } from '../sign-in/sign-ins-store.ts';
import type { ExchangesByRequest } from './exchanges-by-request.ts';
import { readParameters } from './interactions.ts';
import { showFailure } from './own-pages.ts';
import { authorizePath, signOutPath } from './return-url.ts';

/**
 * The maximum length of an authorization query. The URL of the sign-in page repeats the query, percent-encoded again,
 * and must still fit the limits of common proxies. The limit allows twice the longest `state` of a known library, but
 * not thousands of scopes.
 */
export const authorizeQueryLimit = 6 * 1024;

/** Rejects a query longer than `authorizeQueryLimit` before it is parsed (attacks and faults, S54). */
export function createSizeGate(services: Services, exchanges: ExchangesByRequest): Middleware {
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
 * Rejects a request with more parameters than any application needs, before anything is written (attacks and faults,
 * S67), and pushed requests of public clients, which any program could send.
 * @throws `invalid_request`, which is returned to the application because its redirect URI has been validated
 */
export function requireStorable({ oidc }: KoaContextWithOIDC): void {
  if (oidc.route === 'pushed_authorization_request' && oidc.client?.clientAuthMethod === 'none')
    throw new errors.InvalidRequest('a public client sends its request by the browser, not to this endpoint');
  const params = { ...oidc.params };
  if (!areStorable({ ...params, ...readParameters(params) }))
    throw new errors.InvalidRequest(`the parameters together must not exceed ${parametersLimitBytes} bytes`);
}
