import { Agent, createServer, request as send } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where a node listens. */
export type NodeAddress = { port: number };

export type RoundRobin = {
  port: number;
  add: (node: NodeAddress) => void;
  remove: (node: NodeAddress) => void;
  /** How many requests each node has been given, by its port. */
  given: ReadonlyMap<number, number>;
  close: () => Promise<void>;
};

const lookEveryMs = 50;
/** A node on a busy machine is slow, and not away; one that is away refuses the connection. */
const lookTimeoutMs = 5000;

/**
 * A load balancer without sticky sessions: each request goes to the next node that says it is ready. It is as good as the common
 * ones and no better: a request that no node has taken (the connection was refused, or cut before a byte of an answer and nothing
 * was asked to change) goes to the next one, anything else is the visitor's 502. With no ready node any one is asked.
 */
export async function startRoundRobin(
  /** What visitors call the service, which nodes answer to alone. */
  publicHost: () => string,
): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  const nodes: NodeAddress[] = [];
  const unready = new Set<NodeAddress>();
  const beingAsked = new Set<NodeAddress>();
  const given = new Map<number, number>();
  let turn = 0;

  const looking = setInterval(() => {
    for (const node of nodes) {
      // one look after the other: an older answer that comes late says nothing of a node that is leaving
      if (beingAsked.has(node)) continue;
      beingAsked.add(node);
      void isReady(node, publicHost()).then((ready) => {
        beingAsked.delete(node);
        if (ready) unready.delete(node);
        else unready.add(node);
      });
    }
  }, lookEveryMs);

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

  // a test that pauses must not meet a connection that closes at that moment
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    add: (node) => void nodes.push(node),
    remove: (node) => void nodes.splice(nodes.indexOf(node), 1),
    given,
    close: () =>
      new Promise((resolve) => {
        clearInterval(looking);
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What a node says of its connection is about the one to the balancer. */
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
        timeout: lookTimeoutMs,
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
