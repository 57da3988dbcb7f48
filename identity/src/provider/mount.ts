import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Exchange } from '../http/exchange.ts';
import { formContentType, readTextBodies } from '../http/text-bodies.ts';
import type { OpenidProvider } from './provider.ts';
import { authorizeQueryLimit } from './request-limits.ts';
import { authorizePath, signOutPath } from './return-url.ts';

/** The provider's public routes. Its other routes, such as its own confirmation pages, are not reachable. */
const routes = [
  { method: ['GET', 'OPTIONS'], url: '/.well-known/openid-configuration' },
  { method: 'GET', url: authorizePath },
  { method: 'GET', url: `${authorizePath}/:uid` },
  { method: ['POST', 'OPTIONS'], url: '/connect/token' },
  { method: ['GET', 'POST', 'OPTIONS'], url: '/connect/userinfo' },
  { method: ['POST', 'OPTIONS'], url: '/connect/revocation' },
  { method: 'POST', url: '/connect/par' },
  { method: 'POST', url: '/connect/introspection' },
  { method: ['GET', 'OPTIONS'], url: '/connect/jwks' },
  { method: 'GET', url: signOutPath },
];

/** Mounts the provider in its own scope: it parses request bodies itself, up to 56 kB. */
export async function mountProvider(
  app: FastifyInstance,
  provider: OpenidProvider,
  createExchange: (request: FastifyRequest, reply: FastifyReply) => Exchange,
): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
    for (const route of routes) {
      scope.route({
        ...route,
        handler: async (request, reply) => {
          // With an empty uid (`/connect/authorize/`), the provider would start a sign-in without the checks of the
          // gates.
          if (request.url.split('?', 1)[0]?.endsWith('/') === true) return reply.callNotFound();
          const answer = await provider.answer(request.raw, reply.raw, createExchange(request, reply));
          for (const [name, value] of Object.entries(answer.headers)) {
            if (value !== undefined) reply.header(name, value);
          }
          return await reply.code(answer.status).send(answer.body);
        },
      });
    }
    done();
  });
  await app.register((scope, _options, done) => {
    readTextBodies(scope, formContentType, authorizeQueryLimit);
    // OpenID Connect Core, 3.1.2.1, and RP-Initiated Logout 1.0, 2, allow form posts. They are redirected to GET,
    // because browsers withhold cookies from a cross-site form post.
    for (const path of [authorizePath, signOutPath]) {
      scope.post(path, (request, reply) => {
        const asked = new URLSearchParams(String(request.body));
        return reply.redirect(`${path}?${asked.toString()}`, 303);
      });
    }
    done();
  });
}
