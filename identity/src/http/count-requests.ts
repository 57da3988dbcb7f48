import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call of a contract that the route is; it counts itself under that name. */
    call?: string;
  }
}

const methods = new Set(['GET', 'HEAD', 'POST']);

/** Counts what is no call of a contract by its route: the provider's addresses, pages, health. Routes are ours, so their number is bounded. */
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
