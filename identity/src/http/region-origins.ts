import type { FastifyInstance } from 'fastify';

// Credentialed CORS for the pages of other regions, and for no other origin (wire contract, "Headers, on every call").

/** The request headers of the front end (wire contract); `accept` and `accept-language` are always allowed. */
const allowedHeaders =
  'content-type, x-correlation-id, correlationid, conforming-errors, x-anteroom-extensions';
/** The response headers that the front end reads. */
const exposedHeaders = 'Retry-After, Date, X-Correlation-Id';
/** How long browsers cache a preflight response: the maximum that they accept. */
const preflightSeconds = 7200;

const callsPath = '/api/';

/**
 * The CORS headers of a response to `origin`. Their origin comes from the configuration and is never copied from the
 * request.
 */
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
 * Makes every response below `/api/` vary by origin, readable for pages of listed regions. Only their preflight
 * requests are accepted; any other preflight request gets 404.
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
