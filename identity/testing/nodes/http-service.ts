import { Agent, request } from 'node:http';
import { Agent as TlsAgent, request as requestOverTls } from 'node:https';
import type { InjectOptions } from 'fastify';
import type { Reachable } from '../browser.ts';

/** Connects test browsers to the service behind a port of this machine, over keep-alive connections. */
export function reachOverHttp(
  port: number,
  { isTls = false }: { isTls?: boolean } = {},
): Reachable & { close: () => void } {
  const kept = { keepAlive: true, maxSockets: 512 };
  // the certificates of tests are self-signed
  const agent = isTls
    ? new TlsAgent({ ...kept, rejectUnauthorized: false, servername: 'localhost' })
    : new Agent(kept);
  const send = isTls ? requestOverTls : request;
  return {
    inject: ({ method = 'GET', url, headers = {}, payload }: InjectOptions) =>
      new Promise((resolve, reject) => {
        // test browsers send only text
        const content = typeof payload === 'string' ? payload : undefined;
        const outgoing = send(
          {
            agent,
            host: '127.0.0.1',
            port,
            method,
            path: typeof url === 'string' ? url : '/',
            headers: {
              ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
              ...(content !== undefined && { 'content-length': Buffer.byteLength(content) }),
            },
          },
          (incoming) => {
            let body = '';
            incoming.setEncoding('utf8');
            incoming.on('data', (part: string) => (body += part));
            incoming.on('error', reject);
            incoming.on('end', () =>
              resolve({ statusCode: incoming.statusCode ?? 0, headers: incoming.headers, body }),
            );
          },
        );
        outgoing.on('error', reject);
        outgoing.end(content);
      }),
    close: () => agent.destroy(),
  };
}
