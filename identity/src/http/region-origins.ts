import type { FastifyInstance } from 'fastify';

// Credentialed CORS for the pages of other regions, and for no other origin (wire contract, "Headers, on every call").

/** The request headers of the front end (wire contract); `accept` and `accept-language` are always allowed. */
const allowedHeaders =
  'content-type, x-correlation-id, correlationid, conforming-errors, x-anteroom-extensions';
/** The response headers that the front end reads. */
const exposedHeaders = 'Retry-After, Date, X-Correlation-Id';
/** The maximum that browsers accept. */
const preflightSeconds = 7200;

const callsPath = '/api/';

/** The headers of a response to `origin`. The returned origin is the configured one, never a reflected one. */
export function crossOriginHeaders(
  origin: string | undefined,
  origins: readonly string[],
): Readonly<Record<string, string>> {
  const listed = origins.find((one) => one === origin);
  return {
    vary: 'Origin',
    ...(listed !== undefined && {
      'access-control-allow-origin': listed,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': exposedHeaders,
    }),
  };
}

/** Added to the response of a preflight request. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': allowedHeaders,
  'access-control-max-age': String(preflightSeconds),
};

/**
 * Every response below `/api/` varies by origin, and pages of listed regions can read it. Only their preflight
 * requests are accepted; others find no route.
 */
export function registerRegionOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', (request, reply, next) => {
    if (request.url.startsWith(callsPath))
      for (const [name, value] of Object.entries(crossOriginHeaders(request.headers.origin, origins)))
        reply.raw.setHeader(name, value);
    next();
  });
  app.options(`${callsPath}*`, (request, reply) => {
    if (!origins.some((origin) => origin === request.headers.origin)) return reply.callNotFound();
    return reply.headers(preflightHeaders).code(204).send();
  });
}
