import type { FastifyInstance, FastifyRequest } from 'fastify';

// Pages of other regions call this one (wire contract, "Headers, on every call"): credentialed CORS for their origins, and for no other.

/** What the front end sends (wire contract); `accept` and `accept-language` need no leave. */
const allowedHeaders =
  'content-type, x-correlation-id, correlationid, conforming-errors, x-anteroom-extensions';
/** What it reads of an answer besides the body. */
const exposedHeaders = 'Retry-After, Date, X-Correlation-Id';
/** The longest that browsers take. */
const preflightSeconds = 7200;

const callsPath = '/api/';

/**
 * Every answer below `/api/` says that it depends on who asks, and to a page of a listed region that it may be read. Preflights of those
 * are answered; anybody else's finds no route. Nothing is reflected: the origin that is answered is the listed one.
 */
export function registerRegionOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request, reply, next) => {
    if (request.url.startsWith(callsPath)) {
      reply.raw.setHeader('vary', 'Origin');
      const origin = findOrigin(request, origins);
      if (origin !== undefined) {
        reply.raw.setHeader('access-control-allow-origin', origin);
        reply.raw.setHeader('access-control-allow-credentials', 'true');
        reply.raw.setHeader('access-control-expose-headers', exposedHeaders);
      }
    }
    next();
  });
  app.options(`${callsPath}*`, (request, reply) => {
    if (findOrigin(request, origins) === undefined) return reply.callNotFound();
    return reply
      .header('access-control-allow-methods', 'GET, POST')
      .header('access-control-allow-headers', allowedHeaders)
      .header('access-control-max-age', String(preflightSeconds))
      .code(204)
      .send();
  });
}

function findOrigin({ headers }: FastifyRequest, origins: readonly string[]): string | undefined {
  return origins.find((origin) => origin === headers.origin);
}
