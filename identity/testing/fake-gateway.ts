import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type GatewayRequest = { path: string; headers: IncomingHttpHeaders; body: string };

export type FakeGateway = {
  url: string;
  /** Everything that reached it, in order. */
  requests: GatewayRequest[];
  /** What it does with the next ones, until something else is said. */
  behave: (behaviour: Behaviour) => void;
  close: () => Promise<void>;
};

/** `hang`: takes the message and never answers. `reset`: takes it and hangs up. */
export type Behaviour =
  | 'hang'
  | 'reset'
  | { status: number; body?: string; headers?: Record<string, string> };

/** Somebody else's gateway for messages, on a port of its own. */
export async function startFakeGateway(): Promise<FakeGateway> {
  const requests: GatewayRequest[] = [];
  let behaviour: Behaviour = { status: 202 };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      answer(behaviour, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    behave: (next) => {
      behaviour = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(behaviour: Behaviour, response: ServerResponse): void {
  if (behaviour === 'hang') return;
  if (behaviour === 'reset') {
    response.destroy();
    return;
  }
  response.writeHead(behaviour.status, behaviour.headers);
  response.end(behaviour.body ?? '');
}
