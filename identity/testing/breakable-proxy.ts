import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';

export type BreakableProxy = {
  port: number;
  /** Closes every connection and refuses new ones. */
  disconnect: () => void;
  /** Delays everything that the server sends, also on open connections. */
  slowDown: (milliseconds: number) => void;
  /** Discards everything that the server sends. Connections stay open, and new ones are accepted. */
  dropPackets: () => void;
  /** New connections work again. Connections whose packets were dropped stay silent. */
  restore: () => void;
  close: () => Promise<void>;
};

/** A TCP proxy in front of a server, with which a test can simulate network failures. */
export async function startBreakableProxy(target: { host: string; port: number }): Promise<BreakableProxy> {
  const sockets = new Set<Socket>();
  /** Clients whose packets are dropped. */
  const silenced = new Set<Socket>();
  let broken = false;
  let silent = false;
  let delayMs = 0;

  const server = createServer((inbound) => {
    if (broken) {
      inbound.destroy();
      return;
    }
    if (silent) silenced.add(inbound);
    const outbound = connect(target.port, target.host);
    const slow = new Transform({
      transform(chunk: Buffer, _encoding, done: TransformCallback) {
        if (silenced.has(inbound)) done();
        else if (delayMs === 0) done(null, chunk);
        else setTimeout(() => (silenced.has(inbound) ? done() : done(null, chunk)), delayMs);
      },
    });
    for (const [socket, other] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        silenced.delete(socket);
        other.destroy();
      });
    }
    inbound.pipe(outbound);
    outbound.pipe(slow).pipe(inbound);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    disconnect: () => {
      broken = true;
      for (const socket of sockets) socket.destroy();
    },
    slowDown: (milliseconds) => {
      delayMs = milliseconds;
    },
    dropPackets: () => {
      silent = true;
      for (const socket of sockets) silenced.add(socket);
    },
    restore: () => {
      broken = false;
      silent = false;
      delayMs = 0;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
