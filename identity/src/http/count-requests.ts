import type { FastifyInstance } from 'fastify';

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
