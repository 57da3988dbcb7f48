import type { Context, Middleware } from 'koa';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Services } from '../services.ts';
import { webOriginsOf } from './clients-store.ts';
import type { Exchanges } from './exchanges.ts';
import { showFailure } from './failures.ts';
import { createSignOutPage } from './sign-outs.ts';

/** Where the answer to an authorization request stands. */
const responseModes = ['query', 'form_post'];

/**
 * What is changed about the provider's answers before they leave: no page of its own (they carry inline script and fonts of other people)
 * but the form that carries an answer, no cookie but the session's.
 */
export function keepOwnPages(provider: Provider, services: Services, exchanges: Exchanges): Middleware {
  const signOutPage = createSignOutPage(services);
  const internalCookies = [provider.cookieName('interaction'), provider.cookieName('resume')];

  return async (ctx, next) => {
    refuseOtherResponseModes(ctx);
    await next();
    dropCookies(ctx, internalCookies);
    if (!isAnswered(ctx)) return;
    if (ctx.oidc.route === 'discovery') sayResponseModes(ctx);
    if (ctx.response.is('html') && ctx.oidc.params?.['response_mode'] === 'form_post') {
      admitForm(ctx);
      return;
    }
    if (ctx.status >= 300 || !ctx.response.is('html')) return;

    // Nobody is signed in at the provider: its page would post itself on. Ours asks nothing in that case either.
    if (ctx.oidc.route === 'end_session') await signOutPage(ctx);
    else {
      const exchange = exchanges.require(ctx.req);
      exchange.log.error({ route: ctx.oidc.route }, 'the provider answered a page of its own');
      await showFailure(services, ctx, { error: 'server_error' }, exchange);
    }
  };
}

/** Any other mode is refused by the provider as an unknown one is, in the query. */
function refuseOtherResponseModes(ctx: Context): void {
  const mode = ctx.query['response_mode'];
  if (typeof mode === 'string' && !responseModes.includes(mode))
    ctx.query = { ...ctx.query, response_mode: 'unsupported' };
}

function dropCookies(ctx: Context, names: readonly string[]): void {
  const cookies = ctx.response.headers['set-cookie'];
  if (!Array.isArray(cookies)) return;
  const kept = cookies.filter(
    (cookie) => !names.some((name) => cookie.startsWith(`${name}=`) || cookie.startsWith(`${name}.sig=`)),
  );
  if (kept.length > 0) ctx.set('Set-Cookie', kept);
  else ctx.remove('Set-Cookie');
}

/**
 * Lets the provider's form be sent to the client's origins alone: browsers hold it to them through the redirects that answer it, too. The
 * provider has added the hash of the script that sends it to the content policy. With the `same-origin` of other pages the form would come
 * with `Origin: null`.
 */
function admitForm(ctx: Context & KoaContextWithOIDC): void {
  const policy = ctx.response.get('content-security-policy');
  const origins = [...webOriginsOf(ctx.oidc.client?.redirectUris)].join(' ');
  ctx.set('content-security-policy', policy.replace(/form-action [^;]*/, `form-action ${origins}`));
  ctx.set('referrer-policy', 'strict-origin');
}

function sayResponseModes(ctx: KoaContextWithOIDC): void {
  const metadata: unknown = ctx.body;
  if (typeof metadata === 'object' && metadata !== null)
    ctx.body = { ...metadata, response_modes_supported: responseModes };
}

/** Whether one of the provider's routes took the request. */
export function isAnswered(ctx: Context): ctx is Context & KoaContextWithOIDC {
  return 'oidc' in ctx;
}
