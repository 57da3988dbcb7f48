import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export type BreakableProxy = {
  port: number;
  /** Cuts every connection and takes no new one. */
  breakOff: () => void;
  restore: () => void;
  close: () => Promise<void>;
};

/** Stands between the service and a server, so that a test can take the server away and give it back. */
export async function startBreakableProxy(target: { host: string; port: number }): Promise<BreakableProxy> {
  const sockets = new Set<Socket>();
  let broken = false;
  const server = createServer((inbound) => {
    if (broken) {
      inbound.destroy();
      return;
    }
    const outbound = connect(target.port, target.host);
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    breakOff: () => {
      broken = true;
      for (const socket of sockets) socket.destroy();
    },
    restore: () => {
      broken = false;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
