import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { errors } from 'oidc-provider';
import type { Provider } from 'oidc-provider';
import type { Services } from '../services.ts';
import type { Exchanges } from './exchanges.ts';
import { endProviderSessions } from './provider-sessions.ts';
import { buildAuthorizeUrl, parseReturnUrl } from './return-url.ts';
import { findSignIn } from '../sign-ins/sign-ins-store.ts';
import type { SignIn } from '../sign-ins/sign-ins-store.ts';

/**
 * What stands before the provider where a browser comes back from our pages.
 *
 * The provider knows an interaction by a cookie alone, and a cookie is shared by all tabs: one tab would finish
 * another's sign-in. Here the address names the sign-in, our own session cookie says whose browser it is, and only when
 * both belong together is the provider shown the interaction. Its own two cookies never reach a browser.
 */
export function createResumeGate(provider: Provider, services: Services, exchanges: Exchanges): Middleware {
  const { config, database, clock } = services;

  // The interaction has expired, or belongs to a session of the provider that ended in another tab meanwhile.
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

    const browserId = await exchanges.require(ctx.req).findBrowserId();
    const signIn =
      browserId === undefined ? undefined : await findSignIn(database, address.uid, browserId, clock.now());
    if (signIn === undefined) {
      startAgain(ctx, address.parameters);
      return;
    }

    if (signIn.finishedAt !== undefined) await endSessionOfAnotherPerson(ctx, signIn);
    ctx.req.headers.cookie = `${ctx.req.headers.cookie ?? ''}; ${cookieName}=${signIn.uid}`;
    await next();
    if (lost.has(ctx.req)) startAgain(ctx, address.parameters);
  };

  /** Left to itself the provider would answer a page that posts itself with inline script, which the content policy blocks. */
  async function endSessionOfAnotherPerson(ctx: Context, { personId }: SignIn): Promise<void> {
    const session = await provider.Session.get(ctx);
    if (session.accountId === undefined || session.accountId === personId) return;
    const { uid, accountId } = session;
    await database
      .transaction()
      .execute((transaction) => endProviderSessions(transaction, [{ uid, accountId }]));
  }
}

/** The interaction is not there any more, or the account changed while it was being answered (`adapter.ts`). */
const isOver = (error: Error): boolean =>
  error instanceof errors.SessionNotFound || error instanceof errors.LoginRequired;

/** The sign-in is over, or another browser's: what the application asked for is asked again. */
function startAgain(ctx: Pick<Context, 'status' | 'redirect'>, parameters: URLSearchParams): void {
  ctx.status = 303;
  ctx.redirect(buildAuthorizeUrl(parameters));
}

/** Whatever a browser sends under the provider's name is nothing that we gave it. */
function hideInteraction(request: IncomingMessage, cookieName: string): void {
  const others = (request.headers.cookie ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '' && !cookie.startsWith(`${cookieName}=`));
  request.headers.cookie = others.join('; ');
}
