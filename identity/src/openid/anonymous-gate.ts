import type { Middleware } from 'koa';
import type { Exchanges } from './exchanges.ts';
import { authorizePath, signOutPath } from './return-url.ts';

/**
 * Counts requests that start a sign-in or a sign-out without a session, before the provider writes anything for them
 * (attacks and faults, S67). `prompt=none` is exempt: it writes nothing, and applications repeat it in the background.
 */
export function createAnonymousGate(exchanges: Exchanges): Middleware {
  return async (ctx, next) => {
    const beginsSignIn = ctx.path === authorizePath && ctx.query['prompt'] !== 'none';
    if (beginsSignIn || ctx.path === signOutPath)
      await exchanges.require(ctx.req).requireAnonymousAllowance();
    await next();
  };
}
