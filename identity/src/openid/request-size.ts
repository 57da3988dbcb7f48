import type { Middleware } from 'koa';
import type { Services } from '../services.ts';
import type { Exchanges } from './exchanges.ts';
import { showFailure } from './failures.ts';
import { authorizePath } from './return-url.ts';

/**
 * What an application may ask for in one address, which the address of the sign-in page repeats (encoded once more, and that must
 * still be an address that every proxy takes). Twice the longest `state` of a known library; thousands of scopes are an attack.
 */
export const authorizeQueryLimit = 6 * 1024;

/** Refuses it before anything of it is read (attacks and faults, S54). */
export function createSizeGate(services: Services, exchanges: Exchanges): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== authorizePath || ctx.search.length <= authorizeQueryLimit) {
      await next();
      return;
    }
    const { correlationId } = exchanges.require(ctx.req);
    await showFailure(services, ctx, {
      error: 'invalid_request',
      error_description: 'the request is too long',
      correlationId,
    });
  };
}
