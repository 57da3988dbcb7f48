import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../lib/log.ts';

/** Safe in log lines, headers and error pages: it cannot break a line or a tag. */
const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

/** Frequent and uninteresting: a page's files, and health checks. */
const quietRoutes = /^\/(?:ui|health)(?:\/|$)/;

/** The caller's `X-Correlation-Id` (its own id and a running counter), else `CorrelationId`, else a new id. */
export function correlationIdOf(headers: IncomingHttpHeaders): string {
  for (const name of ['x-correlation-id', 'correlationid']) {
    const value = headers[name];
    if (typeof value === 'string' && acceptable.test(value)) return value;
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
