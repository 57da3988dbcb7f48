import type { FastifyInstance } from 'fastify';
import type { Log } from '../lib/log.ts';

/** These come by the dozen and say nothing: a page's files, and a load balancer's questions. */
const quietRoutes = /^\/(?:ui|health)(?:\/|$)/;

/** One line for each request: the route's pattern instead of the address, which may carry what is nobody else's business. */
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
