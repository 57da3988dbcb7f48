import type { FastifyInstance } from 'fastify';

/** These come by the dozen and say nothing: a page's files, and a load balancer's questions. */
const quietRoutes = /^\/(?:ui|health)(?:\/|$)/;

/** One line for each request: the route's pattern instead of the address, which may carry what is nobody else's business. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, next) => {
    const route = request.routeOptions.url ?? 'none';
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (quietRoutes.test(route) && reply.statusCode < 400) request.log.debug(line, 'answered');
    else request.log.info(line, 'answered');
    next();
  });
}
