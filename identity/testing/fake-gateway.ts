import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type GatewayRequest = { path: string; headers: IncomingHttpHeaders; body: string };

export type FakeGateway = {
  url: string;
  /** All received requests, in order. */
  requests: GatewayRequest[];
  /** Sets the behaviour for the following requests. */
  behave: (behaviour: Behaviour) => void;
  close: () => Promise<void>;
};

/** `hang` accepts the message and never answers; `reset` accepts it and closes the connection. */
export type Behaviour =
  | 'hang'
  | 'reset'
  | { status: number; body?: string; headers?: Record<string, string> };

/** Starts a message gateway on its own port. */
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
