import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { correlationIdShape } from '@anteroom/contract';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../lib/log.ts';
import type { RequestSpan, Tracing } from '../lib/tracing.ts';

/** Routes with frequent and uninteresting requests: the files of pages, and health checks. */
const quietRoutes = /^\/(?:ui|health)(?:\/|$)/;

/**
 * The correlation id of a request: `X-Correlation-Id` (the page's own id and a counter), otherwise `CorrelationId`,
 * otherwise a new id.
 */
export function correlationIdOf(headers: IncomingHttpHeaders): string {
  for (const name of ['x-correlation-id', 'correlationid']) {
    const value = headers[name];
    if (typeof value === 'string' && correlationIdShape.test(value)) return value;
  }
  return randomUUID();
}

/** Logs one line per request, with the route's pattern instead of the URL, which may contain private data. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'none';
    const log: Log = request.log;
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (quietRoutes.test(route) && reply.statusCode < 400) log.debug(line, 'answered');
    else log.info(line, 'answered');
    next();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    span: RequestSpan | undefined;
  }
}

/**
 * Records a span per request, with the route's pattern and the status but not the URL, which may contain private data.
 */
export function registerRequestTrace(app: FastifyInstance, tracing: Tracing): void {
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', (request, _reply, next) => {
    request.span = tracing.openRequest(request.headers);
    request.span.run(next);
  });
  // The body is received outside the span, because several requests share a connection.
  app.addHook('preHandler', (request, _reply, next) => {
    if (request.span === undefined) next();
    else request.span.run(next);
  });
  app.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'none';
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': reply.statusCode,
      'anteroom.correlation_id': request.id,
    };
    request.span?.end(`${request.method} ${route}`, attributes, reply.statusCode >= 500);
    next();
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract call of the route, which is counted under its own name. */
    call?: string;
  }
}

const methods = new Set(['GET', 'HEAD', 'POST']);

/** Counts other requests by route: the provider's endpoints, pages, health. The number of routes is bounded. */
export function countOtherRequests(
  app: FastifyInstance,
  countRequest: (name: string, status: number, durationSeconds: number) => void,
): void {
  app.addHook('onResponse', (request, reply, next) => {
    const { url = 'none', config } = request.routeOptions;
    if (config.call === undefined) {
      const method = methods.has(request.method) ? request.method : 'other';
      countRequest(`${method} ${url}`, reply.statusCode, reply.elapsedTime / 1000);
    }
    next();
  });
}
