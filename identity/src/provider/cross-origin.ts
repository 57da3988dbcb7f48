import type { Context, Middleware } from 'koa';
import type { ClientMetadata } from 'oidc-provider';
import type { Services } from '../services.ts';
import { findPublicClientOrigins, pageOriginsOf } from './clients-store.ts';
import { isAnswered } from './own-pages.ts';

/** Public documents: pages of every origin can read them. */
const publicRoutes = new Set(['discovery', 'jwks']);
/** Endpoints that the page of a public client calls directly. */
const clientRoutes = new Set(['token', 'userinfo', 'revocation']);

type RegisteredClient = Pick<
  ClientMetadata,
  'application_type' | 'redirect_uris' | 'token_endpoint_auth_method'
>;

/** Whether the origin exactly matches the origin of one of a public client's redirect URIs. */
export function isOriginOfClient(origin: string, client: RegisteredClient): boolean {
  return client.token_endpoint_auth_method === 'none' && pageOriginsOf(client).has(origin);
}

/**
 * Decides which cross-origin pages can read a response of the provider (CORS), always without credentials. The provider
 * reflects every origin until it has identified the client, so its headers are kept only if the identified client has
 * registered the origin. A preflight request identifies no client, so it is accepted for the origins of all public
 * clients. The actual request is accepted only for the origins of its own client.
 */
export function createCrossOriginGate({ database }: Pick<Services, 'database'>): Middleware {
  return async (ctx, next) => {
    await next();
    const route = isAnswered(ctx) ? ctx.oidc.route.replace(/^cors\./, '') : '';
    if (publicRoutes.has(route)) {
      ctx.set('Access-Control-Allow-Origin', '*');
      return;
    }
    if (clientRoutes.has(route) && (await isAdmitted(ctx))) return;
    for (const name of Object.keys(ctx.response.headers))
      if (name.startsWith('access-control-')) ctx.remove(name);
  };

  async function isAdmitted(ctx: Context): Promise<boolean> {
    const origin = ctx.get('Origin');
    if (origin === '' || !isAnswered(ctx)) return false;
    if (ctx.method === 'OPTIONS') return (await findPublicClientOrigins(database)).has(origin);
    const { client } = ctx.oidc;
    return client !== undefined && isOriginOfClient(origin, client.metadata());
  }
}
