import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';

/**
 * Serves operators on a separate port: `/metrics` for Prometheus, and `/health/ready`, which has the same status as on
 * the public port (200 or 503) and also returns the reasons.
 */
export function startMetricsServer(
  registry: Pick<Registry, 'metrics' | 'contentType'>,
  at: { port: number; host: string },
  checkReadiness: () => Promise<{ ready: boolean }>,
): Promise<Server> {
  async function answerMetrics(response: ServerResponse): Promise<void> {
    const text = await registry.metrics();
    response.setHeader('content-type', registry.contentType).end(text);
  }
  async function answerReadiness(response: ServerResponse): Promise<void> {
    const report = await checkReadiness();
    response.writeHead(report.ready ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify(report));
  }
  const server = createServer((request, response) => {
    response.setHeader('cache-control', 'no-store');
    response.setHeader('x-content-type-options', 'nosniff');
    const answer = { '/metrics': answerMetrics, '/health/ready': answerReadiness }[request.url ?? ''];
    if (request.method !== 'GET' || answer === undefined) {
      response.writeHead(404).end();
      return;
    }
    answer(response).catch(() => response.writeHead(500).end());
  });
  server.requestTimeout = 10_000;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => resolve(server));
  });
}
