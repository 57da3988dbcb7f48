import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';

export type BreakableProxy = {
  port: number;
  /** Cuts every connection and takes no new one. */
  breakOff: () => void;
  /** Whatever the server says arrives this much later, also on connections that there are. */
  slowDown: (milliseconds: number) => void;
  /** Connections stay open and nothing arrives on them any more, as when a network swallows packets. New ones are taken and stay silent too. */
  fallSilent: () => void;
  /** All is well with new connections; those that fell silent stay so, because nobody tells them. */
  restore: () => void;
  close: () => Promise<void>;
};

/** Stands between the service and a server, so that a test can take the server away and give it back. */
export async function startBreakableProxy(target: { host: string; port: number }): Promise<BreakableProxy> {
  const sockets = new Set<Socket>();
  /** Those that hear nothing any more. */
  const forgotten = new Set<Socket>();
  let broken = false;
  let silent = false;
  let delayMs = 0;

  const server = createServer((inbound) => {
    if (broken) {
      inbound.destroy();
      return;
    }
    if (silent) forgotten.add(inbound);
    const outbound = connect(target.port, target.host);
    const slow = new Transform({
      transform(chunk: Buffer, _encoding, done: TransformCallback) {
        if (forgotten.has(inbound)) done();
        else if (delayMs === 0) done(null, chunk);
        else setTimeout(() => (forgotten.has(inbound) ? done() : done(null, chunk)), delayMs);
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
        forgotten.delete(socket);
        other.destroy();
      });
    }
    inbound.pipe(outbound);
    outbound.pipe(slow).pipe(inbound);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    breakOff: () => {
      broken = true;
      for (const socket of sockets) socket.destroy();
    },
    slowDown: (milliseconds) => {
      delayMs = milliseconds;
    },
    fallSilent: () => {
      silent = true;
      for (const socket of sockets) forgotten.add(socket);
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
