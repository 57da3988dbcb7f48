import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Registry } from 'prom-client';

/** Prometheus asks here: a port of its own, so that the figures are never on the public one. */
export function startMetricsServer(registry: Registry, at: { port: number; host: string }): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader('cache-control', 'no-store');
    response.setHeader('x-content-type-options', 'nosniff');
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.setHeader('content-type', registry.contentType).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.requestTimeout = 10_000;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => resolve(server));
  });
}
