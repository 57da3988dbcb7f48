import type { Context, Middleware } from 'koa';
import type { KoaContextWithOIDC, Provider, ErrorOut } from 'oidc-provider';
import type { Services } from '../services.ts';
import type { Exchange } from '../http/exchange.ts';
import { paths } from '../http/page-addresses.ts';
import { webOriginsOf } from './clients-store.ts';
import type { ExchangesByRequest } from './exchanges-by-request.ts';
import { createSignOutPage } from '../sign-out/sign-outs.ts';

/** The response modes that the service supports. */
const responseModes = ['query', 'form_post'];

/**
 * Filters the provider's responses. Of its pages, only the form_post page is sent, because the others have inline
 * scripts and third-party fonts. Of its cookies, only the session cookie is sent.
 */
export function keepOwnPages(
  provider: Provider,
  services: Services,
  exchanges: ExchangesByRequest,
): Middleware {
  const signOutPage = createSignOutPage(services, exchanges);
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

    // Our page replaces the provider's sign-out page. Like that page, it asks for no confirmation if no user is signed
    // in.
    if (ctx.oidc.route === 'end_session') await signOutPage(ctx);
    else {
      const exchange = exchanges.require(ctx.req);
      exchange.log.error({ route: ctx.oidc.route }, 'the provider answered a page of its own');
      await showFailure(services, ctx, { error: 'server_error' }, exchange);
    }
  };
}

/** Makes the provider reject unsupported response modes in the same way as unknown ones: with an error in the query. */
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
 * Allows the provider's form to be submitted to the client's origins only; browsers also apply `form-action` to the
 * redirects that follow. The provider has already added the hash of its submit script to the policy. The referrer
 * policy also differs from other pages: with `same-origin`, the browser would send `Origin: null` with the form.
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

/** Whether one of the provider's routes handled the request. */
export function isAnswered(ctx: Context): ctx is Context & KoaContextWithOIDC {
  return 'oidc' in ctx;
}

/**
 * Shows an error page to the user if the error cannot be returned to the application, because its redirect URI is
 * missing or not trusted. The record contains only protocol error codes and descriptions, never user input.
 */
export function createFailurePage(services: Services, exchanges: ExchangesByRequest) {
  return async (ctx: KoaContextWithOIDC, out: ErrorOut): Promise<void> => {
    await showFailure(services, ctx, out, exchanges.require(ctx.req));
  };
}

/** Stores the error and redirects the browser to the page that shows it. */
export async function showFailure(
  { errorRecords }: Pick<Services, 'errorRecords'>,
  ctx: Pick<Context, 'status' | 'redirect'>,
  failure: { error: string; error_description?: string | undefined },
  exchange: Exchange,
): Promise<void> {
  const errorId = await errorRecords.store(
    { error: failure.error, description: failure.error_description },
    exchange,
  );
  ctx.status = 303;
  ctx.redirect(`${paths.error}?${new URLSearchParams({ errorId }).toString()}`);
}
