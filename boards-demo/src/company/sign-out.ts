import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type Provider from 'oidc-provider';
import { askToSignOutPage, messagePage } from './pages.ts';

type Context = KoaContextWithOIDC;
type SignOutPages = Required<
  Pick<
    Exclude<NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']>, undefined>,
    'logoutSource' | 'postLogoutSuccessSource'
  >
>;

/** The pages of a sign-out at the company. The user must confirm, unless the service sends an ID token hint. */
export const signOutPages: SignOutPages = {
  async logoutSource(ctx, form) {
    const { session, entities } = ctx.oidc;
    if (session === undefined || entities.IdTokenHint?.payload['sub'] !== session.accountId) {
      ctx.body = askToSignOutPage(form);
      return;
    }
    await session.destroy();
    goBack(ctx);
  },
  postLogoutSuccessSource(ctx) {
    ctx.body = signedOutPage();
  },
};

/**
 * Skips the library's sign-out page for a user without a session. That page would submit itself by script, which is
 * blocked here, and there is no session to end.
 */
export const leaveUnlessSignedIn: Parameters<Provider['use']>[0] = async (ctx, next) => {
  await next();
  const { oidc } = ctx as Partial<Context>;
  if (oidc?.route === 'end_session' && oidc.session?.accountId === undefined && ctx.status === 200)
    goBack(ctx as Context);
};

/** Redirects to the registered address, which the library has validated. */
function goBack(ctx: Context): void {
  const { post_logout_redirect_uri: address, state } = ctx.oidc.params ?? {};
  if (typeof address !== 'string') {
    ctx.type = 'html';
    ctx.body = signedOutPage();
    return;
  }
  const back = new URL(address);
  if (typeof state === 'string') back.searchParams.set('state', state);
  ctx.redirect(back.href);
  ctx.status = 303;
}

const signedOutPage = (): string =>
  messagePage('You are signed out of Corp Industries', 'Services that know you by it are told.');
