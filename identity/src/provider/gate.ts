import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { errors } from 'oidc-provider';
import type { Provider } from 'oidc-provider';
import type { Services } from '../services.ts';
import type { SignIn } from '../sign-in/sign-ins-store.ts';
import type { ExchangesByRequest } from './exchanges-by-request.ts';
import { findSignInWith } from '../sign-in/find-sign-in.ts';
import { endProviderSessions } from './provider-sessions.ts';
import { keepReadAhead, selectRecord } from './records-store.ts';
import { buildAuthorizeUrl, parseReturnUrl } from './return-url.ts';

/**
 * Handles the return of a browser from our pages, before the provider does. The provider identifies an interaction only
 * by a cookie, which all tabs share, so one tab could finish the sign-in of another tab. Here, the URL identifies the
 * sign-in and our session cookie identifies the browser. The gate passes the interaction to the provider only if both
 * match. The provider's two interaction cookies are never sent to a browser.
 */
export function createResumeGate(
  provider: Provider,
  services: Services,
  exchanges: ExchangesByRequest,
): Middleware {
  const { config, database, clock } = services;

  // Requests whose interaction has expired, or belongs to a provider session that ended in another tab.
  const lost = new WeakSet<IncomingMessage>();
  provider.on('authorization.error', ({ req, oidc }, error) => {
    if (oidc.route === 'resume' && isOver(error)) lost.add(req);
  });

  return async (ctx, next) => {
    const cookieName = provider.cookieName('resume');
    hideInteraction(ctx.req, cookieName);
    const address = parseReturnUrl(`${ctx.path}${ctx.search}`, config.publicUrl);
    if (address?.uid === undefined) {
      await next();
      return;
    }

    const { uid } = address;
    const interaction = selectRecord(database, { model: 'Interaction', id: uid }, clock.now());
    const { signIn, read } = await findSignInWith(services, uid, exchanges.require(ctx.req), {
      extend: false,
      also: { interaction },
    });
    if (read?.interaction !== undefined) keepReadAhead(ctx, [read.interaction]);
    if (signIn === undefined) {
      startAgain(ctx, address.parameters);
      return;
    }

    if (signIn.finishedAt !== undefined) await endSessionOfAnotherUser(ctx, signIn);
    ctx.req.headers.cookie = `${ctx.req.headers.cookie ?? ''}; ${cookieName}=${signIn.uid}`;
    await next();
    if (lost.has(ctx.req)) startAgain(ctx, address.parameters);
  };

  /**
   * Ends the provider session of another user. Otherwise, the provider would return a self-submitting page with an
   * inline script, which the content security policy blocks.
   */
  async function endSessionOfAnotherUser(ctx: Context, { userId }: SignIn): Promise<void> {
    const session = await provider.Session.get(ctx);
    if (session.accountId === undefined || session.accountId === userId) return;
    const { uid, accountId } = session;
    await database
      .transaction()
      .execute((transaction) => endProviderSessions(transaction, [{ uid, accountId }]));
  }
}

/** Whether the interaction no longer exists, or the account changed during the sign-in (`adapter.ts`). */
const isOver = (error: Error): boolean =>
  error instanceof errors.SessionNotFound || error instanceof errors.LoginRequired;

/** Repeats the application's authorization request, because the sign-in has ended or belongs to another browser. */
function startAgain(ctx: Pick<Context, 'status' | 'redirect'>, parameters: URLSearchParams): void {
  ctx.status = 303;
  ctx.redirect(buildAuthorizeUrl(parameters));
}

/** Removes an interaction cookie that the browser sent. The service never sets one, so it may be forged. */
function hideInteraction(request: IncomingMessage, cookieName: string): void {
  const others = (request.headers.cookie ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '' && !cookie.startsWith(`${cookieName}=`));
  request.headers.cookie = others.join('; ');
}
