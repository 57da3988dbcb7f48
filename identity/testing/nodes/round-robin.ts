import { Agent, createServer, request as send } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type NodeAddress = { port: number };

export type RoundRobin = {
  port: number;
  add: (node: NodeAddress) => void;
  remove: (node: NodeAddress) => void;
  /** The number of requests to each node, by its port. */
  given: ReadonlyMap<number, number>;
  close: () => Promise<void>;
};

const checkIntervalMs = 50;
/** The timeout can be long for slow nodes on a busy machine, because a stopped node refuses the connection at once. */
const checkTimeoutMs = 5000;

/**
 * A load balancer without sticky sessions: each request goes to the next ready node. Like common load balancers, it retries a
 * request on the next node only if the connection was refused, or if a GET request failed before the response started;
 * otherwise the visitor gets 502. If no node is ready, it uses any node.
 */
export async function startRoundRobin(
  /** The public host of the service; nodes reject other hosts. */
  publicHost: () => string,
): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  const nodes: NodeAddress[] = [];
  const unready = new Set<NodeAddress>();
  const beingChecked = new Set<NodeAddress>();
  const given = new Map<number, number>();
  let turn = 0;

  const checks = setInterval(() => {
    for (const node of nodes) {
      // one check at a time: a late response to an earlier check must not override a later one
      if (beingChecked.has(node)) continue;
      beingChecked.add(node);
      void isReady(node, publicHost()).then((ready) => {
        beingChecked.delete(node);
        if (ready) unready.delete(node);
        else unready.add(node);
      });
    }
  }, checkIntervalMs);

  function nextNodes(): NodeAddress[] {
    const ready = nodes.filter((node) => !unready.has(node));
    const candidates = ready.length > 0 ? ready : nodes;
    turn += 1;
    return candidates.map((_, index) => candidates[(turn + index) % candidates.length] ?? { port: 0 });
  }

  const server = createServer((incoming, answer) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => pass(incoming, Buffer.concat(parts), answer, nextNodes()));
  });

  function pass(
    incoming: IncomingMessage,
    body: Buffer,
    answer: ServerResponse,
    candidates: NodeAddress[],
  ): void {
    const [node, ...others] = candidates;
    if (node === undefined) {
      answer.writeHead(502).end();
      return;
    }
    given.set(node.port, (given.get(node.port) ?? 0) + 1);
    const outgoing = send(
      {
        agent,
        host: '127.0.0.1',
        port: node.port,
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
      },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 502, withoutHopByHop(answered.headers));
        answered.pipe(answer);
        answered.on('error', () => answer.destroy());
      },
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const mayRepeat = error.code === 'ECONNREFUSED' || incoming.method === 'GET';
      if (!answer.headersSent && mayRepeat && others.length > 0) pass(incoming, body, answer, others);
      else if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end();
    });
    outgoing.end(body);
  }

  // The timeout is long, so that connections do not close during a pause of a test.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    add: (node) => void nodes.push(node),
    remove: (node) => void nodes.splice(nodes.indexOf(node), 1),
    given,
    close: () =>
      new Promise((resolve) => {
        clearInterval(checks);
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Removes the headers that concern the connection between node and balancer. */
function withoutHopByHop({
  connection: _connection,
  'keep-alive': _keepAlive,
  ...headers
}: IncomingMessage['headers']) {
  return headers;
}

function isReady({ port }: NodeAddress, publicHost: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = send(
      {
        host: '127.0.0.1',
        port,
        path: '/health/ready',
        agent: false,
        headers: { host: publicHost },
        timeout: checkTimeoutMs,
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      },
    );
    asking.on('timeout', () => asking.destroy());
    asking.on('error', () => resolve(false));
    asking.end();
  });
}
