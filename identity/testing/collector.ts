import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Attribute = { key: string; value: Record<string, unknown> };
export type ReceivedSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Attribute[];
};
type Sent = { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] };

/** A trace collector for OTLP over HTTP with JSON: `POST /v1/traces`. */
export type Collector = {
  endpoint: string;
  spans: () => ReceivedSpan[];
  /** The bodies of all requests. */
  text: () => string;
  close: () => void;
};

export async function startCollector(): Promise<Collector> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') received.push(Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans: () =>
      received
        .flatMap((text) => (JSON.parse(text) as Sent).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    text: () => received.join('\n'),
    close: () => void server.close(),
  };
}
