import type { FastifyInstance } from 'fastify';
import type { RequestSpan, Tracing } from '../lib/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: RequestSpan | undefined;
  }
}

/** A span per request, with the route's pattern and the status, and never the URL, which may contain private data. */
export function registerRequestTrace(app: FastifyInstance, tracing: Tracing): void {
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', (request, _reply, next) => {
    request.span = tracing.openRequest(request.headers);
    request.span.run(next);
  });
  // the body arrives outside the span, because several requests share a connection
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
